# SPDX-License-Identifier: Apache-2.0
# Checks of the page in a browser (devtools.py). A check prints what is wrong and ends with 1.
#
#   browser.py ADDRESS CHECK      ADDRESS: file:///... or http://127.0.0.1:...      CHECK: a function of this file
import base64, json, os, re, sys, tempfile, zlib

from devtools import Browser, expect

# How many colours a canvas, or a part of it, has; `vivid`: that are no greys, as texts are.
COLORS = """(canvas, x = 0, y = 0, width = canvas.width, height = canvas.height, vivid = -1) => {
  const copy = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, x, y, width, height, 0, 0, width, height);
  const bytes = copy.getImageData(0, 0, width, height).data, seen = new Set();
  for (let i = 0; i < bytes.length; i += 4) {
    const [r, g, b, a] = bytes.subarray(i, i + 4);
    if (a && Math.max(r, g, b) - Math.min(r, g, b) > vivid) seen.add(r << 16 | g << 8 | b);
  }
  return seen.size;
}"""
PLOT = "(() => { const box = document.getElementById('lanes').getBoundingClientRect(); return [box.left + page.shape.gutter, box.right, box.top + 20]; })()"
HEADINGS = "[...document.querySelectorAll('#panel-collections .grid h3')].map(each => each.textContent)"
VIEW = "[page.view.from * page.data.bucket_ms, page.view.end * page.data.bucket_ms]"
TICKS = """(() => {
  const own = CanvasRenderingContext2D.prototype.fillText, seen = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, ...more) { seen.push(text); own.call(this, text, ...more); };
  dispatchEvent(new Event('resize'));
  CanvasRenderingContext2D.prototype.fillText = own;
  return seen.filter(text => /^\\d\\d:\\d\\d/.test(text));
})()"""


def near(a, b, by):
    return abs(a - b) <= by


def panels(browser, address):
    browser.open(address)
    there = browser.of("[...document.querySelectorAll('#tabs button')].map(tab => tab.id.slice(4))")
    expect(there == WANTED, "panels:", there, "instead of", WANTED)
    for number, panel in enumerate(there, 1):
        browser.key(str(number))
        place = f"document.getElementById('panel-{panel}')"
        expect(browser.of(f"{place}.checkVisibility()"), panel, "is not shown")
        expect(browser.of(f"{place}.innerText.trim().length") > 20, panel, "says nothing")
        graphs, strips = (browser.of(f"[...{place}.querySelectorAll('{which}')].filter(each => each.checkVisibility()).map(each => ({COLORS})(each))") for which in ("canvas.flame", "canvas.strip"))
        expect(0 not in graphs and (not strips or max(strips) > 0), "blank canvases of", panel, graphs, strips)
        wide = browser.of("document.documentElement.scrollWidth - innerWidth")
        expect(wide <= 0, panel, "makes the page wider than the window:", wide)
    lanes = browser.of("page.lanes.map(lane => lane.title)")
    expect(set(lanes) >= {"CPU load", "CPU by threads", "Allocation", "Heap", "Locks and parks", "Exceptions", "Memory"}, "lanes:", lanes)
    shown = browser.of(f"page.lanes.map((_, i) => {{ const canvas = document.getElementById('lanes'), each = (canvas.height - 22) / page.lanes.length; return ({COLORS})(canvas, page.shape.gutter, Math.round(i * each), canvas.width - page.shape.gutter, Math.floor(each) - 6, 60); }})")
    expect(min(n for lane, n in zip(lanes, shown) if lane != "Stops") > 0, "lanes without a value:", dict(zip(lanes, shown)))


def brush(browser, address):
    browser.open(address, "c=wall")
    whole, bucket = browser.of("+document.documentElement.dataset.total"), browser.of("page.data.bucket_ms")
    browser.open(address, "c=wall&t=500-1500")
    part, chosen = browser.of("+document.documentElement.dataset.total"), browser.of("[page.choice.from * page.data.bucket_ms, page.choice.end * page.data.bucket_ms]")
    expect(near(chosen[0], 500, bucket) and near(chosen[1], 1500, bucket), "chosen:", chosen)
    expect(0 < part < whole, "of", whole, "in all a second has", part)
    expect("1.00 s" in browser.of("document.getElementById('range-text').textContent"), "the range is not told")
    left, right, y = browser.of(PLOT)
    browser.drag(left + (right - left) * 0.6, left + (right - left) * 0.8, y)  # far from the ends of what is chosen, which a drag would move
    chosen, buckets = browser.of("[page.choice.from, page.choice.end]"), browser.of("page.data.buckets")
    expect(near(chosen[0], buckets * 0.6, 3) and near(chosen[1], buckets * 0.8, 3), "dragged:", chosen, "of", buckets)
    expect("t=" in browser.state(), "the address does not tell")
    browser.key("a")
    expect(browser.of("+document.documentElement.dataset.total") == whole, "not all of the time again")
    browser.open(address, "p=collections&t=500-1500")
    sums = browser.of(HEADINGS)
    expect(sums and all(each.endswith(", of all the time") for each in sums), "sums of all the time are told as of a part:", sums)
    browser.key("a")
    expect(not any("of all" in each for each in browser.of(HEADINGS)), "nothing is chosen, and headings tell of a part:", browser.of(HEADINGS))


def zoom(browser, address):
    browser.open(address)
    everything, coarse = browser.of(VIEW), browser.of(TICKS)
    bucket = browser.of("page.data.bucket_ms")
    picture = browser.of("document.getElementById('lanes').toDataURL()")
    browser.open(address, "t=700-1100&z=400-1600.600-1200")
    shown, fine = browser.of(VIEW), browser.of(TICKS)
    expect(near(shown[0], 600, bucket) and near(shown[1], 1200, bucket), "shown:", shown)
    expect(browser.of("page.choice.levels.length") == 2, "levels")
    expect(len(fine) >= 2 and max(map(len, fine)) > max(map(len, coarse)), "ticks:", fine, "in place of", coarse)
    expect(browser.of("document.getElementById('lanes').toDataURL()") != picture, "the lanes are as before")
    expect("finest" in browser.of("document.getElementById('zoom-note').textContent"), "that there are no finer steps is not told")
    browser.key("z")
    shown = browser.of(VIEW)
    expect(near(shown[0], 700, bucket) and near(shown[1], 1100, bucket), "zoomed to what is chosen:", shown)
    state = browser.state()
    innermost = [int(ms) for ms in state.partition("z=")[2].partition("&")[0].split(".")[-1].split("-")]
    expect(near(innermost[0], 700, bucket) and near(innermost[-1], 1100, bucket), "the address does not tell:", state)
    browser.open(address, state)
    expect(browser.of(VIEW) == shown, "the address does not lead back:", state)
    browser.key("Z", shift=True)
    expect(near(browser.of(VIEW)[0], 600, bucket), "one level out:", browser.of(VIEW))
    browser.of("document.getElementById('zoom-out').click()")
    expect(near(browser.of(VIEW)[0], 400, bucket), "two levels out:", browser.of(VIEW))
    browser.key("0")
    expect(browser.of(VIEW) == everything and browser.of("page.choice.end > page.choice.from"), "not zoomed:", browser.of(VIEW))
    left, right, y = browser.of(PLOT)
    browser.pointer("mouseWheel", (left + right) / 2, y, deltaX=0, deltaY=-200, modifiers=2)
    browser.settle()
    shown, half = browser.of(VIEW), everything[1] / 2
    expect(near(shown[1] - shown[0], half, 2 * bucket) and near(shown[0], half / 2, 2 * bucket), "by the wheel:", shown)
    for _ in range(15):
        browser.key("z")
    expect(browser.of("page.view.end - page.view.from") == 12 and browser.of("document.getElementById('zoom-in').disabled"), "there is no end of zoom:", browser.of(VIEW))
    browser.key("a")
    expect(browser.of(VIEW) == everything and not browser.of("page.choice.end > page.choice.from"), "not all of the time again")
    browser.open(address, "t=700-1300")
    chosen = browser.of("[page.choice.from, page.choice.end]")
    for _ in range(4): browser.key("z")
    steps = [(browser.key("Escape"), browser.of("[page.choice.from, page.choice.end]"))[1] for _ in range(5)]
    expect(steps == [chosen] * 4 + [[0, 0]] and browser.of(VIEW) == everything, "steps back choose what nobody chose:", steps, "of", chosen)
    browser.open(address, "t=9-1&z=90-10.x-y.0-999999999999.-5&p=nothing&c=none&q=(&th=77777")
    expect(browser.of(VIEW) == everything, "nonsense in the address is taken")


def holders(browser, address):
    """Who held a lock, and where, of the class that is chosen."""
    held = "[...document.querySelectorAll('[aria-label=\"Who held the locks\"] tbody tr')].map(row => [...row.children].map(cell => cell.textContent))"
    browser.open(address, "p=locks")
    rows = browser.of(held)
    expect(len(rows) > 0, "nobody held a lock")
    expect(all(len(row) == 3 and row[1] and row[2] for row in rows), "a holder without name or place:", rows)
    chosen = browser.of("(() => { const row = [...document.querySelectorAll('[aria-label=\"By class\"] tbody tr')].find(row => row.checkVisibility() && !row.children[1].textContent); row?.click(); return row !== undefined; })()")
    browser.settle()
    expect(not chosen or len(browser.of(held)) == 0, "of a class that nobody was seen to hold:", browser.of(held))
    browser.open(address, "p=locks&t=0-1")
    expect(len(browser.of(held)) <= len(rows), "more held it in a part of the time")


def parts(browser, address):
    """A page of a time alone, from the server of the whole one, and back; what is still to come keeps its place in the address."""
    hidden = "document.getElementById('%s').hidden"
    browser.open(address)
    browser.wait_for("page.clocks.length > 1")
    expect(browser.of(hidden % "part-in") and browser.of(hidden % "part-out"), "a part is offered of all of the time")
    clock, other, start = browser.of("page.clocks[1].id"), browser.of("page.clocks[0].id"), browser.of("page.data.start")
    browser.open(address, f"t=700-1100&c={clock}&p=threads")
    expect(not browser.of(hidden % "part-in"), "no part is offered")
    browser.key("f")
    browser.wait_for("globalThis.page !== undefined && page.data.whole_ms !== undefined")
    expect("/part/" in browser.of("location.pathname"), "where it is:", browser.of("location.href"))
    expect(near(browser.of("page.data.seconds"), 0.4, 0.02) and browser.of("page.data.start") > start, "the part's time:", browser.of("page.data.start"), browser.of("page.data.seconds"))
    expect(browser.of("page.choice.clock") == clock and browser.of("page.choice.panel") == "threads", "what was chosen is not any more")
    expect(browser.of("page.clocks.reduce((sum, clock) => sum + clock.total(), 0)") > 0, "nothing is in it")
    browser.key("F", shift=True)
    browser.wait_for("globalThis.page !== undefined && page.data.whole_ms === undefined && !page.data.unfinished")
    bucket = browser.of("page.data.bucket_ms")
    shown = browser.of(VIEW)
    expect(near(shown[0], 700, 2 * bucket) and near(shown[1], 1100, 2 * bucket), "back, it shows", shown)
    browser.of("page.data.unfinished = true")
    browser.of("history.replaceState(null, '', '#c=none-yet&m=a.B.c')")
    browser.of(f"page.choose({{ clock: '{other}', from: 3, end: 9 }})")
    state = browser.state()
    expect("c=none-yet" in state and "m=a.B.c" in state and "t=" in state, "an unfinished page forgets:", state)


CHOSEN = "({ threads: page.threads.chosen && [...page.threads.chosen].map(i => page.threads.items[i]), frame: page.graph.tree.label(page.graph.focus), focus: page.graph.focus })"


def kept(browser, address):
    """Threads and the frame that is zoomed into are in the address by their names; how far one has scrolled stays at a reload."""
    browser.open(address, "p=stacks")
    thread, deep = browser.of("(({ tree }, clock) => { let i = clock.node[0]; while (tree.depth[i] > 3) i = tree.parent[i]; return [clock.thread[0], i]; })(page.graph, page.clocks[0])")
    browser.of(f"(page.graph.zoom({deep}), page.threads.choose(new Set([{thread}])))")
    browser.settle()
    before, state = browser.of(CHOSEN), browser.state()
    expect("th=" in state and "f=" in state and before["focus"] == deep, "the address:", state, before)
    browser.open(address, state)
    expect(browser.of(CHOSEN) == before, "of", before, "this is there:", browser.of(CHOSEN))
    browser.open(address, "p=stacks&f=no.such&f=frame&th=nobody")
    expect(browser.of("page.graph.focus") == 0 and browser.of("page.threads.chosen") is None, "nonsense in the address is taken")
    browser.open(address, "p=run")
    browser.of("(() => { document.getElementById('panel-run').scrollTop = 40; page.keep_places(); location.reload(); })()")
    browser.wait_for("document.readyState === 'complete' && globalThis.page !== undefined && page.choice.panel === 'run'")
    browser.settle()
    expect(browser.of("document.getElementById('panel-run').scrollTop") == 40, "scrolled to", browser.of("document.getElementById('panel-run').scrollTop"))


def anew(browser, address):
    """Times of a page that may begin later the next time are those of the clock."""
    browser.open(address)
    browser.wait_for("page.clocks.length > 1")
    browser.of("page.choose_time(50, 100)")
    state, at = browser.state(), browser.of("Date.parse(page.data.start.slice(0, 23) + 'Z') + 50 * page.data.bucket_ms")
    found = re.search(r"t=(?:@|%40)(\d+)-(\d+)", state)
    expect(found and near(int(found[1]), at, 2), "the address:", state, "for", at)
    browser.open(address, f"t=@{found[1]}-{found[2]}")
    expect(browser.of("[page.choice.from, page.choice.end]") == [50, 100], "chosen:", browser.of("[page.choice.from, page.choice.end]"))
    browser.open(address, "t=@5-6")
    expect(not browser.of("page.choice.end > page.choice.from"), "a time that is gone is chosen")
    for no_time in "-5-99999999", "5", "a5-10", "5-10-20":
        browser.open(address, "t=" + no_time)
        expect(not browser.of("page.choice.end > page.choice.from"), "a part of what is no time is chosen:", no_time)


def shows(browser, address):
    """A finding leads to what it rests on: a method on its clock, a panel, and its time, whatever was shown before."""
    def found(data):
        names, clocks = data["names"], [clock["id"] for clock in data["clocks"]]
        data.update(findings=[{"severity": "note", "rule": "r", "title": "A", "text": "", "command": "", "method": names[0], "clock": clocks[-1], "panel": "stacks", "from": None, "to": None},
                              {"severity": "note", "rule": "r", "title": "B", "text": "", "command": "", "method": "", "clock": "", "panel": "run", "from": 0, "to": 1000 * data["seconds"]},
                              {"severity": "note", "rule": "r", "title": "C", "text": "", "command": "", "method": "", "clock": "", "panel": "run", "from": 1000, "to": 1200}], damage=["at 0x1: x"])

    altered(browser, address, found)
    expect(browser.of("document.getElementById('damaged').checkVisibility()"), "damage is not told")
    show = "[...document.querySelectorAll('#findings button')][%d].click()"
    browser.of(show % 0)
    browser.settle()
    expect(browser.of("[page.choice.panel, page.choice.clock, page.choice.method]") == ["stacks", browser.of("page.clocks.at(-1).id"), 0], "it leads to", browser.of("[page.choice.panel, page.choice.clock, page.choice.method]"))
    browser.of(show % 1)
    browser.settle()
    expect(browser.of("page.choice.panel") == "run" and not browser.of("page.choice.end > page.choice.from"), "it leads to", browser.of("[page.choice.panel, page.choice.from, page.choice.end]"))
    chosen = "[page.choice.clock === page.clocks[0].id, page.choice.method, page.threads.chosen]"
    expect(browser.of(chosen) == [True, None, None], "what another finding showed stays:", browser.of(chosen))
    browser.of(show % 2)
    browser.of("page.threads.choose(new Set([0]))")
    browser.settle()
    expect(browser.of("page.choice.end > page.choice.from"), "it leads to no time")
    browser.of(show % 0)
    browser.settle()
    expect(not browser.of("page.choice.end > page.choice.from || page.threads.chosen"), "a finding of all of the time shows a part of it")


# --- Pages of other data than the recording's ---

DATA = re.compile(r'(<script type="application/)(json|zlib)(" id="data">)(.*?)(</script>)', re.DOTALL)


def altered(browser, address, change, state=""):
    """The page with its data as `change` leaves them."""
    path = address.removeprefix("file://")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    found = DATA.search(page)
    data = json.loads(found[4] if found[2] == "json" else zlib.decompress(base64.b64decode(found[4])))
    change(data)
    text = json.dumps(data).replace("<", "\\u003c")
    with open(path + ".altered.html", "w", encoding="utf-8") as file:
        file.write(page[:found.start()] + f"{found[1]}json{found[3]}{text}{found[5]}" + page[found.end():])
    browser.open(address + ".altered.html", state)


def lane_of(name, style, unit, at, values, title=None):
    return {"lane": name, "title": title or name, "unit": unit, "name": "its", "style": style, "at": at, "low": values, "high": values, "last": values}


def little(browser, address):
    """Lanes without series, series with one value or none, and a table of rows in which nothing is."""
    one_mark = {"kind": "collection", "title": "Collection", "left_out": 0, "at": [100], "ms": [5], "text": ["G1New"]}
    one_row = {"panel": "run", "view": "nothing", "title": "Nothing", "form": False, "left_out": 0, "columns": [["A", "plain"]], "rows": [[None]]}
    altered(browser, address, lambda data: data.update(lanes=[], marks=[one_mark], clocks=[], tables=[one_row]))
    expect(browser.of("page.lanes.map(lane => lane.title)") == ["Collections"], "lanes:", browser.of("page.lanes.map(lane => lane.title)"))
    expect(browser.of(f"({COLORS})(document.getElementById('lanes'), page.shape.gutter, 0, 400, page.shape.each, 60)") > 0, "the collection is not seen")
    one_time = one_row | {"columns": [["At", "time"]], "rows": [[0.3]]}
    altered(browser, address, lambda data: data.update(start="2026-01-02T03:04:05.0675Z", bucket_ms=1, tables=[one_time]), "p=run")
    expect(browser.of("document.querySelector('#table-nothing td').textContent").endswith("05.067"), "a time is not cut as in tables:", browser.of("document.querySelector('#table-nothing td').textContent"))
    single = [lane_of("load", "area", "share", [300], [0.5]), lane_of("heap", "area", "bytes", [300], [0]), lane_of("waits", "bar", "threads", [300], [1]),
              lane_of("thrown", "area", "per second", [], [], "Exceptions"), lane_of("resident", "line", "bytes", [300], [1e6]), lane_of("live", "line", "count", [300], [0])]
    altered(browser, address, lambda data: data.update(lanes=single, marks=[], clocks=[], recorded=["safepoints", "allocation"]))
    lanes = browser.of("page.lanes.map(lane => lane.id)")
    expect(lanes == ["load", "heap", "waits", "resident", "live"], "lanes:", lanes)
    expect("a rate of exceptions" in browser.of("document.getElementById('missing').textContent"), "one count is not told of")
    expect("Not recorded: CPU samples, " in browser.of("document.getElementById('missing').textContent"), "what was not recorded is not told of")
    expect("Recorded, without an event: allocation, safepoints" in browser.of("document.getElementById('missing').textContent"), "what did not happen is not told of")
    altered(browser, address, lambda data: data.update(lanes=[lane_of("load", "area", "share", [], [], "CPU load")], marks=[], clocks=[], recorded=["CPU load"]))
    expect("Not recorded: a second look at the CPU load, " in browser.of("document.getElementById('missing').textContent"), "the one look is not told of")
    altered(browser, address, lambda data: data.update(lanes=single, marks=[], clocks=[], recorded=[]))
    for i, lane in enumerate(lanes):
        seen = browser.of(f"({COLORS})(document.getElementById('lanes'), page.shape.gutter, {i} * (page.shape.each + 5), document.getElementById('lanes').width - page.shape.gutter, page.shape.each, 60)")
        expect(seen > 0, "one value is not seen:", lane)


def years(browser, address):
    def spread(data):
        data.update(start="2015-02-12T10:00:00Z", seconds=372140280.0, bucket_ms=103374300, buckets=3600, clocks=[], marks=[], stalls=[], findings=[],
                    lanes=[lane_of("heap", "area", "bytes", [1, 1000, 1000], [1, 2, 3])])

    said = "document.getElementById('range-text').textContent"
    altered(browser, address, spread)
    expect(browser.of(said).startswith("2015-02-12 to 2026-11-28 UTC, 11.8 years"), browser.of(said))
    expect("11.8 years" in browser.of("document.getElementById('facts').textContent"), "of the head:", browser.of("document.getElementById('facts').textContent"))
    ticks = browser.of(TICKS.replace("d\\d:", "d\\d\\d\\d-\\d\\d-"))
    expect(5 < len(ticks) < 20 and ticks[0][:4] == "2015", "dates of the axis:", len(ticks), ticks[:20])
    altered(browser, address, lambda data: (spread(data), data.update(seconds=7921440.0, bucket_ms=2200400)), "t=86400000-8000000000")
    expect(browser.of(said).startswith("2015-02-13 09:50 to 2015-05-15 "), browser.of(said))
    expect(" days" in browser.of(said), browser.of(said))
    ticks = browser.of(TICKS.replace("d\\d:", "d\\d\\d\\d-\\d\\d-"))
    expect(5 < len(ticks) < 20 and ticks[0][:8] == "2015-02-", "dates of the axis:", len(ticks), ticks[:20])


def scales(browser, address):
    """Sampled once each bucket, with one sample of a thousandfold weight."""
    def spike(data):
        fact = [each for each in data["facts"] if each[0] != "CPUs"]
        clocks = [clock for clock in data["clocks"] if clock["id"] in ("cpu", "alloc")]
        for clock in clocks:
            count = data["buckets"] - 2
            clock.update(unit="samples" if clock["id"] == "cpu" else clock["unit"], period_ns=10_000_000, bucket_ms=data["bucket_ms"], time=[0] + [1] * (count - 1), thread=[0] * count, node=[1] * count, state=[0] * count,
                         weight=[100] * (count // 2) + [100000] + [100] * (count - count // 2 - 1))
        data.update(facts=fact + [["CPUs", "2"]], clocks=clocks, lanes=[], marks=[])

    lane = "(({ top, scale, shown }) => [top, scale, Math.max(...shown.flatMap(each => [...each.values]))])(page.lanes.find(lane => lane.id === '%s'))"
    altered(browser, address, spike)
    top, scale, most = browser.of(lane % "alloc")
    expect(most > 20 * top and "▲" in scale, "a spike is not cut:", top, scale, most)
    top, scale, most = browser.of(lane % "cpu")
    expect(top <= 2 < most, "on two CPUs a lane goes to", top, "of", most)


def names(browser, address):
    browser.ask("Emulation.setDeviceMetricsOverride", width=1000, height=700, deviceScaleFactor=1, mobile=False)
    def lengthen(data):
        data["threads"] = [["a-very-long-name-" * 12 + str(i), *each[1:]] for i, each in enumerate(data["threads"])]
        data["clocks"] = [each for each in data["clocks"] if each["id"] in ("cpu", "wall", "alloc", "lock", "owners", "exceptions")]

    altered(browser, address, lengthen, "p=threads")
    place = "document.getElementById('panel-threads')"
    wide, room, high, shown = browser.of(f"[{place}.scrollWidth, {place}.clientWidth, {place}.querySelector('.rows').scrollHeight, {place}.querySelector('.rows').clientHeight]")
    expect(wide <= room, "columns beyond the edge:", wide, "of", room)
    expect(high <= shown, "a scrollbar in another:", high, "of", shown)
    expect(len(browser.of(f"{place}.querySelector('tbody td').title")) > 200, "the whole name is not told")
    browser.key("t")
    expect(not browser.of("document.querySelector('#threads').open"), "a list opens that nobody sees")
    browser.key("1")
    browser.key("t")
    low, end = browser.of("[document.querySelector('#threads .list').getBoundingClientRect().bottom, innerHeight]")
    expect(low <= end, "the list of threads ends at", low, "of", end)
    browser.key("Escape")


def searches(browser, address):
    browser.open(address, "q=" + "a" * 100000)
    browser.settle()
    expect(browser.of("document.getElementById('search').classList.contains('bad')"), "too large, and not red")
    expect(not browser.of("(field => { field.value = 'a+'; field.dispatchEvent(new Event('input')); return field.classList.contains('bad'); })(document.getElementById('search'))"), "red")


def strips(browser, address):
    """The strips of threads are of what the axis shows."""
    first = "document.querySelector('#panel-threads canvas.strip').toDataURL()"
    browser.open(address, "p=threads")
    whole = browser.of(first)
    browser.open(address, "p=threads&z=600-1200")
    part, note = browser.of(first), browser.of("document.querySelector('#panel-threads p').textContent")
    expect(part != whole and "the axis shows" in note, "strips do not follow the zoom:", note)
    browser.key("0")
    expect(browser.of(first) == whole, "strips do not follow back")


def shades(browser, address):
    luminance = """color => {
      const [r, g, b] = color.match(/[\\d.]+/g).map(n => n / 255).map(n => n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }"""
    back = f"({luminance})(getComputedStyle(document.body).backgroundColor)"
    # Of all elements with text of their own that one sees, against what is behind them.
    contrast = f"""(() => {{
      const luminance = {luminance}, behind = each => {{ for (; each; each = each.parentElement) {{ const color = getComputedStyle(each).backgroundColor; if (!/, 0\\)|transparent/.test(color) && !/rgba/.test(color)) return color; }} return 'rgb(255,255,255)'; }};
      let worst = [99];
      for (const each of document.querySelectorAll('body *')) {{
        if (each.disabled || !each.checkVisibility() || ![...each.childNodes].some(child => child.nodeType === 3 && child.data.trim())) continue;
        const [a, b] = [luminance(getComputedStyle(each).color), luminance(behind(each))].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
        if (ratio < worst[0]) worst = [ratio, each.id || each.textContent.slice(0, 40)];
      }}
      return worst;
    }})()"""
    lanes = "document.getElementById('lanes').toDataURL()"
    seen = set()
    for system, state, dark in (("light", "", False), ("dark", "", True), ("light", "d=1", True), ("dark", "d=0", False)):
        browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": system}])
        browser.open(address, state)
        expect((browser.of(back) < 0.2) == dark, f"a {system} system with #{state}: the page is", "light" if dark else "dark")
        for panel in WANTED:
            browser.of(f"page.choose({{ panel: '{panel}' }})")
            browser.settle()
            worst = browser.of(contrast)
            expect(worst[0] >= 4.5, "low contrast,", "dark:" if dark else "light:", panel, worst)
        seen.add(browser.of(lanes))
    expect(len(seen) == 2, "lanes are painted in", len(seen), "ways")
    before = browser.of(back) < 0.2
    browser.key("l")
    expect((browser.of(back) < 0.2) != before and "d=" not in browser.state(), "the key does not change the shade")


def silence(browser, address):
    """Each panel, clock and method is shown; nothing but the page is loaded, and nothing is complained of."""
    browser.open(address)
    for clock in browser.of("page.clocks.map(clock => clock.id)"):
        browser.of(f"page.choose({{ clock: '{clock}', panel: 'stacks', method: null }})")
        browser.settle()
        browser.of("page.choose({ method: page.graph.tree.name[1] ?? null })")
        browser.settle()
    for panel in WANTED:
        browser.of(f"page.choose({{ panel: '{panel}', method: null }})")
        browser.settle()
    browser.key("?")
    expect(browser.of("document.getElementById('help').open"), "no help")
    loaded = {each.split("#")[0] for each in browser.loaded} - {"about:blank"}
    expect(loaded == {address}, "loaded:", loaded)
    expect(browser.of("performance.getEntriesByType('resource').length") == 0, "resources are loaded")


WANTED = os.environ.get("PANELS", "").split()
if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            globals()[sys.argv[2]](browser, sys.argv[1])
            browser.settle()
            expect(not browser.complaints, "the console:", *browser.complaints)
        finally:
            browser.close()
