// SPDX-License-Identifier: Apache-2.0
// Uses a flame or heatmap page as a person would, without network: node page.cjs PAGE.html TOTAL [PICTURE.png]
// Its total must be TOTAL, and search, zoom, inverting, time, threads, keys and shade must do what they say.
const puppeteer = require('puppeteer-core'), path = require('path');
const [file, wanted, picture] = process.argv.slice(2);
const failures = [];
const check = (what, good, got) => { if (!good) failures.push(`${what}${got === undefined ? '' : `: ${got}`}`); };
const settle = () => new Promise(done => setTimeout(done, 150));
(async () => {
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage(), requests = [];
  page.on('pageerror', e => failures.push('error ' + e));
  page.on('dialog', d => { failures.push('a name was run as a script'); d.dismiss(); });
  page.on('request', r => { if (!r.url().startsWith('file://' + path.resolve(file))) requests.push(r.url()); });
  await page.setViewport({ width: 1400, height: 850 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  const began = Date.now();
  await page.goto('file://' + path.resolve(file));
  await settle();
  const opened = Date.now() - began;
  const total = () => page.evaluate(() => +document.documentElement.dataset.total);
  const pixels = () => page.evaluate(() => document.getElementById('graph').toDataURL());
  const text = id => page.evaluate(id => document.getElementById(id).textContent, id);
  check('total', await total() === +wanted, await total());
  check('only one script and one piece of data', await page.evaluate(() => document.scripts.length) === 2);
  // the root is as wide as the graph, and its children fill it
  check('width is weight', await page.evaluate(() => {
    const { graph, tree } = window.page;
    let sum = tree.self[0]; for (let i = 1; i < tree.count; i = tree.after[i]) sum += tree.total[i];
    return sum === tree.total[0] && Math.abs(graph.boxes[3] - graph.width) < 1e-6;
  }));

  const first = await pixels();
  await page.keyboard.press('/');
  await page.keyboard.type('.');
  await settle();
  check('search shows what matched', /^matched (99\.|100)/.test(await text('matched')), await text('matched'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('i');
  await settle();
  check('i inverts', await pixels() !== first && await page.$eval('#invert', b => b.getAttribute('aria-pressed')) === 'true');
  await page.keyboard.press('i');
  await settle();
  check('i inverts back', await pixels() === first);

  await page.focus('#graph');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  check('arrow keys and Enter zoom in', await page.evaluate(() => window.page.graph.focus > 0), await page.evaluate(() => window.page.graph.focus));
  await page.keyboard.press('Backspace');
  check('Backspace zooms out', await page.evaluate(() => window.page.graph.focus) === 0);

  if (await page.evaluate(() => Boolean(window.page.timeline))) {
    // All halves and all threads add up to the whole.
    const parts = await page.evaluate(() => {
      const { timeline, tree, choose_time } = window.page, half = Math.floor(timeline.buckets / 2), sums = [];
      for (const [from, end] of [[0, half], [half, timeline.buckets]]) { choose_time(from, end); sums.push(end > from ? tree.total[0] : 0); }
      choose_time(0, 0);
      return sums;
    });
    check('two halves of time are the whole', parts[0] + parts[1] === +wanted, parts.join(' + '));
    const threads = await page.evaluate(() => {
      const { tree, threads, choose_threads } = window.page;
      let sum = 0;
      threads.forEach((_, t) => { choose_threads(new Set([t])); sum += tree.total[0]; });
      choose_threads(null);
      return sum;
    });
    check('the threads together are the whole', threads === +wanted, threads);
    const box = await (await page.$('#time-graph')).boundingBox();
    await page.mouse.move(box.x + 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3, { steps: 5 });
    await page.mouse.up();
    check('dragging chooses time', await page.evaluate(() => window.page.chosen.end > window.page.chosen.from));
    const end = await page.evaluate(() => window.page.chosen.end);
    await page.focus('#time-graph');
    await page.keyboard.press('ArrowRight');
    check('arrow keys move the range', await page.evaluate(() => window.page.chosen.end) !== end || end === await page.evaluate(() => window.page.timeline.buckets));
    await page.keyboard.press('Escape');
    check('Esc shows everything', await total() === +wanted, await total());
  }
  if (picture) await page.screenshot({ path: picture });
  await page.keyboard.press('l');
  await settle();
  check('l is dark', await page.evaluate(() => document.documentElement.classList.contains('dark')));
  if (picture) await page.screenshot({ path: picture.replace(/\.png$/, '-dark.png') });
  check('nothing is loaded', requests.length === 0, requests.join(' '));
  await browser.close();
  console.log(`${failures.length ? 'FAIL' : 'ok'} page ${path.basename(file)} total ${wanted}, opened in ${opened} ms ${failures.join('; ')}`);
  process.exit(failures.length ? 1 : 0);
})();
