// SPDX-License-Identifier: Apache-2.0
// Opens profiles in speedscope itself, and checks them against its schema: node speedscope.cjs FILE.speedscope.json ...
// Prints for each: the sum of the first profile, and what speedscope's importer made of the file.
const fs = require('fs'), path = require('path'), Ajv = require('ajv'), puppeteer = require('puppeteer-core');
const release = path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release');
const schema = JSON.parse(fs.readFileSync(path.join(release, 'file-format-schema.json')));
delete schema.$schema;
const valid = new Ajv({ strict: false }).compile(schema);
(async () => {
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--allow-file-access-from-files'] });
  let failed = false;
  for (const file of process.argv.slice(2)) {
    const text = fs.readFileSync(file, 'utf8'), profile = JSON.parse(text);
    const sum = profile.profiles.length ? profile.profiles[0].weights.reduce((a, b) => a + b, 0) : 0;
    const page = await browser.newPage(), errors = [];
    page.on('pageerror', e => errors.push(String(e)));
    page.on('dialog', d => { errors.push(d.message()); d.dismiss(); });
    await page.goto('file://' + release + '/index.html#localProfilePath=/dev/null', { waitUntil: 'load' });
    await page.waitForFunction('window.speedscope && window.speedscope.loadFileFromBase64', { timeout: 20000 });
    await page.evaluate((name, data) => window.speedscope.loadFileFromBase64(name, data), path.basename(file), Buffer.from(text).toString('base64'));
    await page.waitForFunction('document.title !== "speedscope"', { timeout: 20000 }).catch(() => errors.push('nothing was opened'));
    const title = await page.title();
    const good = valid(profile) && errors.length === 0;
    failed ||= !good;
    console.log(`${good ? 'ok' : 'FAIL'} speedscope ${path.basename(file)} sum ${sum} title "${title}" ${valid(profile) ? '' : JSON.stringify(valid.errors[0])} ${errors.join(' | ').slice(0, 300)}`);
    await page.close();
  }
  await browser.close();
  process.exit(failed ? 1 : 0);
})();
