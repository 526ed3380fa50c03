import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, the longest first, as they were measured. */
const longest = [
  "packages/http-adapter/test/rowLevelSecurity.test.ts",
  "packages/http-adapter/test/docs/site.browser.test.ts",
  "packages/postgres-adapter/test/rowLevelSecurityContracts.test.ts",
  "packages/http-adapter/test/memory.test.ts",
  "packages/http-adapter/test/postgres.test.ts",
  "packages/http-adapter/test/processes.test.ts",
  "packages/cli/test/process.test.ts",
  "packages/http-adapter/test/eventProcesses.test.ts",
  "packages/postgres-adapter/test/embedded.test.ts",
  "packages/http-adapter/test/rowLevelSecurityTenants.test.ts",
  "packages/http-adapter/test/rowLevelSecurityAnswers.test.ts",
  "packages/postgres-adapter/test/crm/lists.test.ts",
  "packages/postgres-adapter/test/contracts.test.ts",
  "packages/postgres-adapter/test/outages.test.ts"
]

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
  return rank === -1 ? longest.length : rank
}

/**
 * Starts with the slowest files of all projects. Otherwise a core waits at the end of a run for a long file that started last. The size of a file
 * does not indicate its duration, because suites are written once and run in several files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const sorted = await BaseSequencer.prototype.sort.call(this, files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
