// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_commands.h"

#include <memory>

#include "jrec/archive/archive_add.h"
#include "jrec/archive/archive_list.h"
#include "jrec/archive/archive_restore.h"

namespace jrec {
namespace {

// The commands below `archive`, as CommandList has those of jrec.
struct Verbs {
  CLI::App* app = nullptr;
  std::map<std::string, CommandList::Run> runs;

  CLI::App& add(const std::string& name, const std::string& what, CommandList::Run run) {
    runs[name] = std::move(run);
    return *app->add_subcommand(name, what);
  }
};

void declare_add(Verbs& verbs) {
  const auto options = std::make_shared<ArchiveAddOptions>();
  CLI::App& add = verbs.add("add", "Put files into an archive, all or none",
                            [options](Output& out) { return run_archive_add(*options, out); });
  add.add_option("ARCHIVE", options->archive, "archive (.recz); made when it is not there")->required();
  add.add_option("FILES", options->files, "recordings, whole or damaged")->required();
  add.add_option("--label,-l", options->labels, "KEY=VALUE, such as service=shop; again for more");
  add.add_option("--name", options->name, "of the member, for one file; its own by default");
  add.add_option("--level", options->level, "of compression, 1 to 19")->default_str("9")->check(CLI::Range(1, 19));
  add.add_flag("--quiet,-q", options->quiet, "say nothing");
}

void declare_list(Verbs& verbs) {
  const auto options = std::make_shared<ArchiveListOptions>();
  CLI::App& list = verbs.add("list", "What an archive holds", [options](Output& out) { return run_archive_list(*options, out); });
  list.add_option("ARCHIVE", options->archive, "archive (.recz)")->required();
  list.add_option("MEMBERS", options->members, "names, * and ? allowed; all by default");
  list.add_flag("--json", options->json, "one object a line");
}

void declare_restore(Verbs& verbs) {
  const auto options = std::make_shared<ArchiveRestoreOptions>();
  CLI::App& restore = verbs.add("restore", "Members as the files that they were",
                                [options](Output& out) { return run_archive_restore(*options, out); });
  restore.add_option("ARCHIVE", options->archive, "archive (.recz)")->required();
  restore.add_option("MEMBERS", options->members, "names, * and ? allowed; all by default");
  restore.add_option("--to,--output,-o", options->directory, "directory to write to, made if it is not there; the current one by default");
  restore.add_flag("--quiet,-q", options->quiet, "do not list the files");
}

void declare_cat(Verbs& verbs) {
  const auto options = std::make_shared<ArchiveRestoreOptions>();
  CLI::App& cat = verbs.add("cat", "Members, to standard output", [options](Output& out) { return run_archive_cat(*options, out); });
  cat.add_option("ARCHIVE", options->archive, "archive (.recz)")->required();
  cat.add_option("MEMBERS", options->members, "names, * and ? allowed")->required();
}

void declare_verify(Verbs& verbs) {
  const auto options = std::make_shared<ArchiveRestoreOptions>();
  CLI::App& verify = verbs.add("verify", "Read everything, and say what is damaged",
                               [options](Output& out) { return run_archive_verify(*options, out); });
  verify.add_option("ARCHIVE", options->archive, "archive (.recz)")->required();
}

}  // namespace

void declare_archive(CommandList& commands) {
  const auto verbs = std::make_shared<Verbs>();
  CLI::App& archive = commands.add("archive", "Recordings in little space, restored to the byte", [verbs](Output& out) {
    return verbs->runs.at(verbs->app->get_subcommands().front()->get_name())(out);
  });
  verbs->app = &archive;
  archive.require_subcommand(1);
  declare_add(*verbs);
  declare_list(*verbs);
  declare_restore(*verbs);
  declare_cat(*verbs);
  declare_verify(*verbs);
}

}  // namespace jrec
