// Says at the end of a test run what was skipped for want of a server or a browser, and what to do about it.
const needs = [
  [
    /PARLEY_TEST_DATABASE_URL/,
    "a PostgreSQL server: set PARLEY_TEST_DATABASE_URL=postgres://postgres@127.0.0.1:5432/postgres"
  ],
  [/Chromium/, "a Chromium: install one, or say where it is with CHROMIUM_PATH"]
]

export default class SkipReporter {
  onTestRunEnd(modules) {
    const counts = new Map()
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const need = needs.find(([sign]) => sign.test(test.fullName))?.[1]
        if (need !== undefined) counts.set(need, (counts.get(need) ?? 0) + 1)
      }
    }
    for (const [need, count] of counts) process.stdout.write(`Skipped ${count} tests that need ${need}\n`)
  }
}
