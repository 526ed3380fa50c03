import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Arena from "../../Arena.ts"
import type { RunningServer } from "../../servers/launch.ts"
import type { Caller } from "../../tenants/Population.ts"
import type { Line, Provider } from "../provider.ts"
import { phoneAt } from "../seedOutbound.ts"
import { waitUntil } from "./waitUntil.ts"

/** An open conversation, and a member who can write in it. */
export interface Talk {
  readonly conversationId: string
  readonly phoneId: string
  /** In digits only, like the provider. */
  readonly phone: string
  readonly callers: ReadonlyArray<Caller>
}

/** Customers write to every number. Waits until the messages are in the inbox: now the team can write to them. */
export const openTalks = Effect.fnUntraced(function* (
  { simulator }: Provider,
  server: RunningServer,
  own: ReadonlyArray<Line>,
  customersEach: number
) {
  const { population } = yield* Arena.Arena
  const sql = yield* SqlClient.SqlClient
  for (const [place, { appSecret, businessId, path, phoneId }] of own.entries()) {
    simulator.setWebhook({ url: `${server.url}${path}`, appSecret }, businessId)
    for (let customer = 0; customer < customersEach; customer++) {
      simulator.write(phoneId, phoneAt(place * customersEach + customer), { type: "text", text: "Is it still there?" })
    }
  }
  const opened = sql<Omit<Talk, "callers"> & { readonly organizationId: string }>`
    SELECT c.organization_id AS "organizationId", c.id AS "conversationId", a.external_phone_id AS "phoneId",
      substr(p.phone, 2) AS phone
    FROM conversations AS c JOIN contacts AS p ON p.organization_id = c.organization_id AND p.id = c.contact_id
    JOIN chat_accounts AS a ON a.organization_id = c.organization_id AND a.id = c.chat_account_id`
  const all = own.length * customersEach
  yield* waitUntil(
    "all who have written are in the inbox",
    Effect.map(opened, ({ length }) => length === all)
  )
  // Messages from now on have no receipts: only the way to the provider is measured.
  for (const { businessId } of own) simulator.setWebhook(null, businessId)
  yield* sql`VACUUM ANALYZE`
  return (yield* opened).map(({ organizationId, ...talk }): Talk => ({
    ...talk,
    callers: population.callers.filter((caller) => caller.organizationId === organizationId)
  }))
})
