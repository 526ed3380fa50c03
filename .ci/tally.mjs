// Counts what passed and what failed: the reports of the test runner, and the checks of scripts. A test that was skipped
// counts as failed: here everything is there that a test can ask for, except the programs that only the full .ci/release installs.
import { existsSync, readFileSync } from "node:fs"

const files = process.argv.slice(2)
const reports = files.slice(0, files.indexOf("--"))
const scripts = files.slice(files.indexOf("--") + 1)
const say = (text) => process.stdout.write(`${text}\n`)
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null)

let passed = 0
let failed = 0

for (const tests of reports.map(read)) {
  if (tests === null) {
    say("The tests did not run to their end.")
    failed++
    continue
  }
  const ofRelease = /\(needs (?:Caddy|nginx and openssl|Debian's prometheus)\)/u
  const isMissing = ({ fullName, status }) =>
    ["pending", "skipped", "disabled"].includes(status) && !ofRelease.test(fullName)
  const missing = tests.testResults.flatMap((file) => file.assertionResults.filter(isMissing))
  const broken = tests.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0)
  for (const { fullName } of missing.slice(0, 5)) say(`Did not run: ${fullName}`)
  for (const { message, name } of broken) say(`Could not be loaded: ${name}: ${message}`)
  passed += tests.numPassedTests
  failed += tests.numFailedTests + missing.length + broken.length
  if (tests.numPassedTests === 0) failed++
}

for (const checks of scripts.map(read)) {
  if (checks === null) {
    say("A script of checks did not run to its end.")
    failed++
  } else {
    passed += checks.passed
    failed += checks.failed
  }
}

say(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
