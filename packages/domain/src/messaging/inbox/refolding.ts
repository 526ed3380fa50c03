import { Effect } from "effect"
import { refolding } from "../../crm/index.ts"
import type { OrganizationId } from "../../kernel/index.ts"
import { type Lane, organizationLane, type WorkName } from "../../platform/background/index.ts"
import { Messages } from "./Messages.ts"

/** What bringing the words of messages up to date is called among the works. */
export const messageRefoldsWork: WorkName = "message refolds"

/** Each organization has one lane. */
export const messageRefoldsLane = (organizationId: OrganizationId): Lane =>
  organizationLane(messageRefoldsWork, organizationId)

/** Messages that were stored under another folding are found under the present one. */
export const messageRefolds = refolding(messageRefoldsWork, (limit) =>
  Effect.flatMap(Messages, (messages) => messages.refold(limit))
)
