import { listInboundDeliveries } from "@parley/domain/platform"
import type { Settings } from "@parley/service/configuration"
import { Console, Effect, FileSystem } from "effect"
import { Argument, Command } from "effect/cli"
import { type Kind, kinds } from "../completing.ts"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { sharedSettings } from "../parley.ts"
import { profileFolder } from "../profiles/ProfileFolder.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { inOrganizationMeant, knownOrganizations, knownUsers } from "../tenant/selection.ts"
import { onDatabase, operate, targetOf } from "../tenant/target.ts"

/** A longer list is not useful for completion. */
const most = 100

/** Fails unless a database is running. Completion starts no database. */
const requireRunning = Effect.fnUntraced(function* ({ databaseUrl, dataDir }: Settings) {
  const fs = yield* FileSystem.FileSystem
  if (databaseUrl.value !== null) return
  if (yield* Effect.orDie(fs.exists(`${dataDir.value}/database/data/postmaster.pid`))) return
  return yield* new Refused({ message: "No database runs in the data folder." })
})

const organizations = Effect.gen(function* () {
  const target = yield* targetOf(yield* sharedSettings)
  return target.kind === "server"
    ? target.profile.organizations.map(({ id, slug }) => slug ?? id)
    : yield* onDatabase(Effect.map(knownOrganizations, (rows) => rows.map(({ slug }) => slug)))
})

/** Prints the possible values of a place in a command line, one per line. `parley complete` calls it for shells. */
export const values = Command.make(
  "values",
  { kind: Argument.Literals("kind", kinds).pipe(Argument.withDescription("Of what")), org: Flags.org },
  Effect.fn(function* ({ kind, org }) {
    const settings = yield* sharedSettings
    const folder = yield* profileFolder(settings)
    const idsIn = (rows: { readonly data: ReadonlyArray<{ readonly id: string }> }) => rows.data.map(({ id }) => id)
    const query = { limit: most }
    const read = {
      profiles: folder.names,
      organizations,
      users: operate(Effect.map(knownUsers, (rows) => rows.map(({ email }) => email))),
      deliveries: operate(
        inOrganizationMeant(org, Effect.map(listInboundDeliveries({ page: { limit: most, cursor: null } }), idsIn))
      ),
      broadcasts: inTenant(org, ({ broadcasts }) => Effect.map(broadcasts.list({ query }), idsIn)),
      conversations: inTenant(org, ({ conversations }) => Effect.map(conversations.list({ query }), idsIn)),
      "chat-accounts": inTenant(org, ({ chatAccounts }) => Effect.map(chatAccounts.list({ query }), idsIn)),
      tokens: inTenant(org, ({ tokens }) => Effect.map(tokens.list({ query }), idsIn)),
      members: inTenant(org, ({ members }) =>
        Effect.map(members.list({ query }), ({ data }) => data.map(({ email }) => email))
      )
    } satisfies Record<Kind, unknown>
    if (kind !== "profiles" && (yield* targetOf(settings)).kind === "database") yield* requireRunning(settings)
    const found: ReadonlyArray<string> = yield* read[kind]
    yield* Effect.forEach(found, (value) => Console.log(value), { discard: true })
  })
)
