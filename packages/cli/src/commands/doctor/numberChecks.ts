import { CurrentActor, CurrentOrganization } from "@parley/domain/kernel"
import { type Organization, OrganizationDirectory } from "@parley/domain/platform"
import { type ChatAccountView, getOnboarding, listChatAccounts } from "@parley/domain/messaging"
import { Effect } from "effect"
import { describeStep, withCommands } from "../chatAccounts/onboarding.ts"
import { type Finding, ok, skipped, warning } from "./checks.ts"

const pageSize = 100

const checkNumber = Effect.fnUntraced(
  function* ({ slug }: Organization, { displayName, id }: ChatAccountView) {
    const { steps } = yield* getOnboarding({ id })
    return steps
      .filter(({ state }) => state === "failed")
      .map((step) =>
        warning(
          "numbers",
          `${displayName} of ${slug}: ${describeStep(step)}`,
          step.action === null ? "check the number" : withCommands(step.action)
        )
      )
  },
  Effect.orElseSucceed((): ReadonlyArray<Finding> => [])
)

const checkOrganization = (organization: Organization) =>
  Effect.gen(function* () {
    const { data } = yield* listChatAccounts({ page: { limit: pageSize, cursor: null } })
    const findings = yield* Effect.forEach(data, (account) => checkNumber(organization, account))
    return { count: data.length, findings: findings.flat() }
  }).pipe(
    Effect.provideService(CurrentOrganization, { id: organization.id }),
    Effect.provideService(CurrentActor, { kind: "operator", name: "doctor" })
  )

/** Reports failed steps of connected numbers, as they were found at their last check. The provider is not called. */
export const checkNumbers = Effect.gen(function* () {
  const directory = yield* OrganizationDirectory
  const findings: Array<Finding> = []
  let count = 0
  let after: ReadonlyArray<string> | null = null
  for (;;) {
    const organizations: ReadonlyArray<Organization> = yield* directory.list({ limit: pageSize, after })
    for (const organization of organizations) {
      const found = yield* checkOrganization(organization)
      count += found.count
      findings.push(...found.findings)
    }
    const last = organizations.at(-1)
    if (last === undefined || organizations.length < pageSize) break
    after = [last.id]
  }
  if (count === 0) return [skipped("numbers", "none connected")]
  return findings.length > 0 ? findings : [ok("numbers", `no failed steps of ${count} connected numbers`)]
})
