# SPDX-License-Identifier: Apache-2.0
# Drives a Chromium without a window over its DevTools pipe: a page is opened, asked and used as a person does, and what it loads and complains of is
# noted. Of the standard library alone.
import json, os, subprocess, sys, time

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync
           --hide-scrollbars --window-size=1400,900 --remote-debugging-pipe""".split()
PATIENCE = 20  # seconds, for one answer


class Browser:
    """One tab. What it was told of meanwhile: complaints (errors of scripts and of the console), loaded (addresses)."""

    def __init__(self, profile):
        to_read, self.to = os.pipe()
        self.answers, to_write = os.pipe()

        def be_its_pipes():  # Chromium reads 3 and writes 4
            ours = os.dup(to_read), os.dup(to_write)
            os.dup2(ours[0], 3), os.dup2(ours[1], 4)

        self.process = subprocess.Popen(["chromium", *FLAGS, f"--user-data-dir={profile}"], preexec_fn=be_its_pipes, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(to_write)
        os.set_blocking(self.answers, False)
        self.unread, self.number, self.session, self.complaints, self.loaded = b"", 0, None, [], []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()

    def message(self, until):
        while b"\0" not in self.unread:
            try:
                part = os.read(self.answers, 1 << 20)
            except BlockingIOError:
                part = None
                time.sleep(0.005)
            if part == b"" or time.monotonic() > until:
                sys.exit("Chromium does not answer")
            self.unread += part or b""
        text, self.unread = self.unread.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.message(until)
            self.note(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]

    def note(self, message):
        method, told = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(told["exceptionDetails"].get("exception", {}).get("description", told["exceptionDetails"]["text"]))
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.complaints.append(str([each.get("value", each.get("description")) for each in told["args"]]))
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.loaded.append(told["request"]["url"])

    def of(self, expression):
        """What an expression of JavaScript is in the page; promises are waited for."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression):
        """Also while one page gives way to another, which has nothing to say meanwhile."""
        until = time.monotonic() + PATIENCE
        while not self.ask("Runtime.evaluate", expression=expression, returnByValue=True).get("result", {}).get("value"):
            if time.monotonic() > until:
                sys.exit(f"never: {expression}\n" + "\n".join(self.complaints))

    def open(self, address, state=""):
        """A page afresh, whose address says what it shows."""
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=address + (f"#{state}" if state else ""))
        self.wait_for("location.href !== 'about:blank' && document.readyState === 'complete' && globalThis.page !== undefined && !page.data.unfinished")
        self.settle()

    def settle(self):
        self.of("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    def state(self):
        """Of the address, which follows a moment later."""
        self.of("new Promise(done => setTimeout(done, 150))")
        return self.of("location.hash")[1:]

    def key(self, key, shift=False):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, text=key if kind == "keyDown" and len(key) == 1 else "", modifiers=8 if shift else 0)
        self.settle()

    def pointer(self, kind, x, y, **more):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x, to_x, y):
        self.pointer("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for part in (0.5, 1):
            self.pointer("mouseMoved", x + (to_x - x) * part, y, button="left", buttons=1)
        self.pointer("mouseReleased", to_x, y, button="left", clickCount=1)
        self.settle()


def expect(is_so, *what):
    if not is_so:
        sys.exit(" ".join(map(str, what)))
