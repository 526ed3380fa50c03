import { createWebhookSubscription, nextId, OrganizationId, Outbox, transact } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { within } from "../campaigns/given.ts"

/** An organization on the plan with the most subscriptions. */
export const givenOrganization = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* nextId(OrganizationId)
  yield* sql`
    INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
    VALUES (${id}, ${name}, ${name}, 'scale', 'Europe/Berlin', 'en', 'EUR', 'active', now(), 1)`
  return id
})

/** A subscription of it to everything that happens to tags. */
export const subscribe = (organizationId: string, url: string, ordering: "none" | "subject" = "none") =>
  within(organizationId)(createWebhookSubscription({ name: "Bench", url, events: ["tag.*"], ordering }))

/** Logs that tags were created, all in one commit. */
export const tell = (organizationId: string, tagIds: ReadonlyArray<string>) =>
  within(organizationId)(
    Effect.flatMap(Outbox, (outbox) =>
      transact(Effect.forEach(tagIds, (tagId) => outbox.append({ type: "tag.created", tagId }), { discard: true }))
    )
  )
