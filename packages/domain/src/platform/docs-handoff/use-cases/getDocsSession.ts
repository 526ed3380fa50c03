import { Effect } from "effect"
import { currentUsage, entitlementsOf, nextMonth } from "../../entitlements/index.ts"
import { admitToDocs, type DocsReader } from "../../identity/index.ts"
import { CurrentActor, CurrentOrganization, useCase } from "../../../kernel/index.ts"

/** Says who reads the documentation, for which organization, and what its plan has. The edge has verified the session. */
export const getDocsSession = useCase(
  "docsHandoff.getSession",
  { access: "public" },
  Effect.fnUntraced(function* (reader: DocsReader) {
    const { organization, user } = yield* admitToDocs(reader)
    const usage = yield* currentUsage.pipe(
      Effect.provideService(CurrentOrganization, { id: organization.id }),
      Effect.provideService(CurrentActor, { kind: "system", name: "docs" })
    )
    return { user, organization, entitlements: entitlementsOf(organization.plan, usage, yield* nextMonth) }
  })
)
