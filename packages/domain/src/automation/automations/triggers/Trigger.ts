import { Schema } from "effect"
import { BroadcastId, type CampaignEvent, ClockTime, ScheduleZone } from "../../../campaigns/index.ts"
import { StoreConnectionId, type StoreEvent } from "../../../commerce/index.ts"
import { type CrmEvent, FieldKey, FilterInput, TagId } from "../../../crm/index.ts"
import { UserId } from "../../../kernel/index.ts"
import { ChatAccountId } from "../../../messaging/chat/index.ts"
import type { InboxEvent } from "../../../messaging/inbox/index.ts"
import { Timezone } from "../../../platform/identity/index.ts"
import type { AutomationDue } from "../occurrences/AutomationDue.ts"
import { CronExpression } from "../occurrences/cronOccurrences.ts"
import type { AutomationTriggered } from "../triggerUrls/AutomationTriggered.ts"

/** Fields of `contact.updated` events. The keys of contact fields have the prefix `attribute.`. */
const contactFieldNames = [
  "name",
  "phone",
  "email",
  "identities",
  "locale",
  "timezone",
  "attributes",
  "blocked"
] as const

const attributePrefix = "attribute."

const isContactFieldName = Schema.is(Schema.Literals(contactFieldNames))
const isFieldKey = Schema.is(FieldKey)

/** Key of the contact field that a changed field names; `null` for a field that every contact has. */
export const attributeKeyOf = (field: string): string | null =>
  field.startsWith(attributePrefix) ? field.slice(attributePrefix.length) : null

/** Changed field of a contact: a name, or `attribute.` with the key of a contact field. */
export const ChangedContactField = Schema.String.check(
  Schema.makeFilter((field: string) => {
    const key = attributeKeyOf(field)
    const isKnown = key === null ? isContactFieldName(field) : isFieldKey(key)
    return isKnown || `Expected one of: ${contactFieldNames.join(", ")}, or attribute.key`
  })
)

/** Changed fields of a contact, with the keys of its contact fields. */
export const changedContactFields = (event: SourceEvent): ReadonlyArray<string> =>
  event.type === "contact.updated"
    ? [...event.fields, ...(event.attributes ?? []).map((key) => attributePrefix + key)]
    : []

const someOf = <S extends Schema.Codec<string, unknown>>(id: S, things: string) =>
  Schema.optionalKey(
    Schema.Array(id).check(
      Schema.isBetweenLength(1, 50, { message: `Expected 1 to 50 ${things}` }),
      Schema.isUnique({ message: "Expected each of them once" })
    )
  ).annotateKey({ description: `Only events with one of these ${things}. Default: any.` })

const secondsFrom = (minimum: number) =>
  Schema.Number.check(
    Schema.isInt({ message: "Expected a whole number" }),
    Schema.isBetween({ minimum, maximum: 2_592_000 }, { message: `Expected a whole number from ${minimum} to 2592000` })
  )

const OffsetDays = Schema.Number.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: -365, maximum: 365 }, { message: "Expected a whole number from -365 to 365" })
)

const chatAccountIds = someOf(ChatAccountId, "chat accounts")
const storeConnectionIds = someOf(StoreConnectionId, "store connections")

const tagIds = someOf(TagId, "tags")
const broadcastIds = someOf(BroadcastId, "broadcasts")
const assigneeIds = someOf(UserId, "members")
const changedFields = someOf(ChangedContactField, "fields")

const on = <const Event extends string, const Fields extends Schema.Struct.Fields>(event: Event, fields: Fields) =>
  Schema.Struct({ event: Schema.Literal(event), ...fields })

/** Event that starts a run, or that a workflow waits for. */
export const Trigger = Schema.Union([
  on("message.received", { chatAccountIds }),
  on("message.read", {}),
  on("message.failed", {}),
  on("conversation.opened", { chatAccountIds }),
  on("conversation.resolved", { chatAccountIds }),
  on("conversation.assigned", { assigneeIds }),
  on("conversation.idle", {
    seconds: secondsFrom(60).annotateKey({ description: "Time without a message." }),
    lastFrom: Schema.optionalKey(Schema.Literals(["contact", "team", "any"])).annotateKey({
      description: "Author of the last message. Default: `any`. Automatic messages do not count."
    })
  }),
  on("contact.created", {}),
  on("contact.updated", { fields: changedFields }),
  on("contact.tagged", { tagIds }),
  on("contact.untagged", { tagIds }),
  on("contact.opted_out", {}),
  on("note.created", {}),
  on("order.created", { storeConnectionIds }),
  on("order.paid", { storeConnectionIds }),
  on("order.fulfilled", { storeConnectionIds }),
  on("order.cancelled", { storeConnectionIds }),
  on("order.refunded", { storeConnectionIds }),
  on("cart.abandoned", {
    seconds: secondsFrom(900).annotateKey({ description: "Time without a change." }),
    storeConnectionIds
  }),
  on("broadcast.replied", { broadcastIds }),
  on("webhook.received", {}),
  on("schedule.reached", {
    cron: CronExpression.annotateKey({
      description:
        "Times: minute, hour, day of the month, month and day of the week, for example `0 9 * * mon`. At most every 15 minutes."
    }),
    timezone: Schema.optionalKey(Timezone).annotateKey({
      description: "Time zone of `cron`. Default: the time zone of the organization."
    }),
    audience: FilterInput
  }),
  on("contact.date_reached", {
    field: FieldKey.annotateKey({ description: "Key of a contact field of the type `date`." }),
    offsetDays: Schema.optionalKey(OffsetDays).annotateKey({
      description: "Days after the date, from -365 (before) to 365. Default: 0."
    }),
    localTime: ClockTime.annotateKey({ description: "Local time of the start, for example `09:00`." }),
    zone: Schema.optionalKey(ScheduleZone).annotateKey({
      description: "Time zone of `localTime`. Default: `organization`."
    }),
    repeats: Schema.Literals(["yearly", "once"]).annotateKey({
      description:
        "`yearly`: on each anniversary, 29 February on 28 February of common years. `once`: on the date only."
    })
  })
]).annotate({ identifier: "Trigger" })
export type Trigger = typeof Trigger.Type

export type TriggerEvent = Trigger["event"]

export const triggerEvents: ReadonlyArray<TriggerEvent> = Trigger.members.map(({ fields }) => fields.event.literal)

export const TriggerEvent = Schema.Literals(triggerEvents)

/** Events of the areas that can start automations and workflows. */
export type SourceEvent =
  | CampaignEvent
  | CrmEvent
  | InboxEvent
  | StoreEvent
  | AutomationDue
  | typeof AutomationTriggered.Type

/** Whether the event can start this automation. A call of a trigger URL and a due time start one automation only. */
export const isAddressedTo = (event: SourceEvent, automationId: string): boolean =>
  (event.type !== "automation.triggered" && event.type !== "automation.due") || event.automationId === automationId

/** Audience of a trigger, as a list; most triggers have none. */
export const audienceOf = (trigger: Trigger | null): ReadonlyArray<FilterInput> =>
  trigger?.event === "schedule.reached" ? [trigger.audience] : []

/** Whether the event is part of a bulk change. Such events start nothing. */
export const isBulkEvent = (event: SourceEvent): boolean =>
  (event.type === "conversation.status_changed" || event.type === "conversation.assigned") && event.bulk === true
