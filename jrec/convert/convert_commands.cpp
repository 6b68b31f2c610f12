// SPDX-License-Identifier: Apache-2.0
#include "jrec/convert/convert_commands.h"

#include <memory>

#include "jrec/convert/convert.h"
#include "jrec/flame/flame.h"
#include "jrec/profile/diff.h"
#include "jrec/profile/profile_command.h"

namespace jrec {

void declare_convert(CommandList& commands) {
  const auto options = std::make_shared<ConvertOptions>();
  Command convert = commands.add("convert", "The samples in the format of another tool",
                                 [options](Output& out) { return run_convert(*options, out); });
  add_files(convert, options->files);
  convert.add_option("--output,-o", options->out, "file to write; standard output by default");
  convert.add_option("--format,-f", options->format, "what to write; by default what the output's name says")
      .type_name(format_names("|"));
  convert.add_option("--title", options->title, "title of the profile; the file's name by default");
  add_profile(convert, options->profile);
}

void declare_diff(CommandList& commands) {
  const auto options = std::make_shared<DiffOptions>();
  Command diff =
      commands.add("diff", "What grew and what shrank between two recordings, and what of that may be chance",
                   [options](Output& out) { return run_diff(*options, out); });
  diff.add_option("A B", options->before, "recording before (.jfr), and after; with --after, all of them are before")
      .required()
      .type_name("A B");
  diff.add_option("--after", options->after, "recordings of several runs after the change");
  diff.add_option("-n,--rows", options->rows, "methods to print; 0: all").default_str("20");
  diff.add_option("--width", options->width, "columns of the table").default_str("100");
  diff.add_option("--sort", options->sort, "by which change: self or total")
      .one_of({"self", "total"})
      .default_str("self");
  diff.add_flag("--json", options->json, "one JSON object");
  diff.add_flag("--markdown", options->markdown, "a table of Markdown, for pull requests")
      .excludes(diff.option("--json"));
  diff.add_option(
          "--fail-if", options->fail_if,
          "exit with 6 if that is so, and is more than chance: 'total(\"com.acme.*\") > +2 %'; may be said again")
      .one_word();
  add_profile(diff, options->profile);
}

void declare_heatmap(CommandList& commands) {
  const auto options = std::make_shared<FlameOptions>();
  options->heatmap = true;
  Command heatmap = commands.add("heatmap", "When the samples came, as one HTML page with flame graphs of any part",
                                 [options](Output& out) { return run_flame(*options, out); });
  add_files(heatmap, options->files);
  heatmap.add_option("--output,-o", options->out, "file to write; standard output by default");
  heatmap.add_option("--title", options->title, "title of the page; the file's name by default");
  heatmap
      .add_option("--frames", options->frames,
                  "of the page: of more than about so many the thinnest are folded; 0: none are")
      .default_str("200000");
  heatmap.add_option("--rows", options->rows, "parts that a column of a second is made of")
      .in_range(1, 200)
      .default_str("50");
  add_profile(heatmap, options->profile);
}

}  // namespace jrec
