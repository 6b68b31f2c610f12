// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_commands.h"

#include <memory>

#include "jrec/archive/archive_add.h"
#include "jrec/archive/archive_export.h"
#include "jrec/archive/archive_list.h"
#include "jrec/archive/archive_merge.h"
#include "jrec/archive/archive_prune.h"
#include "jrec/archive/archive_restore.h"
#include "jrec/archive/archive_stats.h"
#include "jrec/base/kept_memory.h"
#include "jrec/base/quiet.h"

namespace jrec {
namespace {

// For commands that pack or unpack chunk after chunk.
template <typename Options>
auto with_memory(ExitCode (*run)(const Options&, Output&), const std::shared_ptr<Options>& options) {
  return [run, options](Output& out) {
    keep_freed_memory();
    return run(*options, out);
  };
}

void declare_add(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveAddOptions>();
  Command add = verbs.add("add", "Put files into an archive, all or none", with_memory(run_archive_add, options));
  add.add_option("ARCHIVE", options->archive, "archive (.recz), or s3://BUCKET/KEY; made when it is not there")
      .required();
  add.add_option("FILES", options->files, "recordings, whole or damaged").required();
  add.add_option("--label,-l", options->labels, "KEY=VALUE, such as service=shop; again for more").one_word();
  add.add_option("--name", options->name, "of the member, for one file; its own by default");
  add.on_text(
         "--level", [options](const std::string& text) { options->level = *archive_level(text); },
         "of compression: 1 is the quickest, 19 or max the smallest")
      .default_str("9")
      .check([](const std::string& text) {
        return archive_level(text) ? "" : "is no level from 1 to 19, and not max: " + text;
      });
  add.add_option("--wait", options->wait_s, "seconds to wait for another process that adds to it")
      .default_str("60")
      .in_range(0, 86'400);
  add_quiet(add, "say nothing");
}

void declare_list(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveListOptions>();
  Command list =
      verbs.add("list", "What an archive holds", [options](Output& out) { return run_archive_list(*options, out); });
  list.add_option("ARCHIVE", options->archive, "archive (.recz)").required();
  list.add_option("MEMBERS", options->members, "names, * and ? allowed; all by default");
  list.add_flag("--json", options->json, "one object a line");
}

void declare_restore(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveRestoreOptions>();
  Command restore =
      verbs.add("restore", "Members as the files that they were", with_memory(run_archive_restore, options));
  restore.add_option("ARCHIVE", options->archive, "archive (.recz)").required();
  restore.add_option("MEMBERS", options->members, "names, * and ? allowed; all by default");
  restore.add_option("--to,--output,-o", options->directory,
                     "directory to write to, made if it is not there; the current one by default");
  restore.add_flag("--overwrite", options->overwrite, "also over files that are there and are not the members");
  add_quiet(restore, "do not list the files");
}

void declare_cat(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveRestoreOptions>();
  Command cat = verbs.add("cat", "Members, to standard output", with_memory(run_archive_cat, options));
  cat.add_option("ARCHIVE", options->archive, "archive (.recz)").required();
  cat.add_option("MEMBERS", options->members, "names, * and ? allowed").required();
}

void declare_verify(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveRestoreOptions>();
  Command verify =
      verbs.add("verify", "Read everything, and say what is damaged", with_memory(run_archive_verify, options));
  verify.add_option("ARCHIVE", options->archive, "archive (.recz)").required();
}

void declare_prune(CommandList& verbs) {
  const auto options = std::make_shared<ArchivePruneOptions>();
  Command prune = verbs.add("prune", "Take out the oldest members", with_memory(run_archive_prune, options));
  prune.add_option("ARCHIVE", options->archive, "archive (.recz), or s3://BUCKET/KEY").required();
  prune.add_option("--max-age", options->max_age, "such as 30d: members that ended before go");
  prune.add_option("--max-size", options->max_size, "such as 10g: the oldest go until the others fit");
  prune.add_option("--label,-l", options->labels, "KEY=VALUE: only such members count, and go; again for more")
      .one_word();
  prune.add_flag("--dry-run", options->dry_run, "only say which ones would go");
  add_quiet(prune, "do not list them");
}

void declare_merge(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveMergeOptions>();
  Command merge =
      verbs.add("merge", "A new archive with the members of several", with_memory(run_archive_merge, options));
  merge.add_option("ARCHIVES", options->archives, "archives (.recz)").required();
  merge.add_option("--output,-o", options->out, "the new one").required();
  add_quiet(merge, "do not list the members");
}

void declare_repair(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveMergeOptions>();
  Command repair = verbs.add("repair", "Mend an archive, or make a new one of what is left",
                             with_memory(run_archive_repair, options));
  repair.add_option("ARCHIVE", options->archives, "archive (.recz), or s3://BUCKET/KEY").required().words(1, 1);
  repair.add_option("--output,-o", options->out, "a new archive of what is left, where damage is beyond mending");
  add_quiet(repair, "say nothing but damage");
}

void declare_export(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveExportOptions>();
  Command exported = verbs.add("export", "Members as zstd files, for those who have no jrec",
                               with_memory(run_archive_export, options));
  exported.add_option("ARCHIVE", options->archive, "archive (.recz)").required();
  exported.add_option("MEMBERS", options->members, "names, * and ? allowed; all by default");
  exported.add_flag("--zst", options->zst, "MEMBER.zst: a zstd frame for each chunk, and a seek table");
  exported.add_option("--level", options->level, "of compression, 1 to 19").default_str("9").in_range(1, 19);
  exported.add_option("--to,--output,-o", options->directory,
                      "directory to write to, made if it is not there; the current one by default");
  add_quiet(exported, "do not list the files");
}

void declare_stats(CommandList& verbs) {
  const auto options = std::make_shared<ArchiveStatsOptions>();
  Command stats = verbs.add("stats", "Where an archive's bytes are",
                            [options](Output& out) { return run_archive_stats(*options, out); });
  stats.add_option("ARCHIVE", options->archive, "archive (.recz)").required();
  stats.add_option("--by", options->by, "label with a row for each of its values").default_str("service");
}

}  // namespace

void declare_archive(CommandList& commands) {
  CommandList& verbs = commands.add_group("archive", "Recordings in little space, restored to the byte");
  declare_add(verbs);
  declare_list(verbs);
  declare_restore(verbs);
  declare_cat(verbs);
  declare_verify(verbs);
  declare_export(verbs);
  declare_stats(verbs);
  declare_prune(verbs);
  declare_merge(verbs);
  declare_repair(verbs);
}

}  // namespace jrec
