import { Effect } from "effect"
import {
  givenBroadcast,
  givenCancelledBroadcast,
  givenPausedBroadcast,
  givenReadyBroadcast,
  givenScheduledBroadcast,
  givenSendableBroadcast,
  givenSentBroadcast
} from "../campaigns.ts"
import { givenNumber, givenTemplate } from "../inbox.ts"
import { nothing, type Recipe } from "../Recipe.ts"
import { givenSegment } from "../tenants.ts"

const onDraft =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenBroadcast(tenant.organization), ({ id }) => ({ id, body }))

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "broadcasts.list": nothing,
  "broadcasts.create": ({ tenant: { organization } }) =>
    Effect.gen(function* () {
      const { id: chatAccountId } = yield* givenNumber(organization)
      const { id: templateId } = yield* givenTemplate(organization, { chatAccountId })
      const { id: value } = yield* givenSegment(organization)
      return { body: { name: "Spring", chatAccountId, templateId, audience: { field: "segment", op: "in", value } } }
    }),
  "broadcasts.preview": ({ tenant: { organization } }) =>
    Effect.gen(function* () {
      const { id: chatAccountId } = yield* givenNumber(organization)
      const { id: templateId } = yield* givenTemplate(organization, { chatAccountId })
      const { id: value } = yield* givenSegment(organization)
      return { body: { chatAccountId, templateId, audience: { field: "segment", op: "in", value }, freeze: true } }
    }),
  "broadcasts.simulate": ({ tenant }) =>
    Effect.map(givenReadyBroadcast(tenant.organization), ({ id }) => ({ id, body: {} })),
  "broadcasts.test": ({ tenant }) =>
    Effect.map(givenReadyBroadcast(tenant.organization), ({ id }) => ({ id, body: { to: ["+491701234567"] } })),
  "broadcasts.get": onDraft(),
  "broadcasts.recipients": onDraft(),
  "broadcasts.exportRecipients": onDraft(),
  "broadcasts.report": onDraft(),
  "broadcasts.update": onDraft({ name: "Summer", holdOut: 5 }),
  "broadcasts.delete": onDraft(),
  "broadcasts.schedule": ({ tenant }) =>
    Effect.map(givenReadyBroadcast(tenant.organization), ({ id }) => ({ id, body: {} })),
  "broadcasts.unschedule": ({ tenant }) =>
    Effect.map(givenScheduledBroadcast(tenant.organization), ({ id }) => ({ id })),
  "broadcasts.send": ({ tenant }) =>
    Effect.map(givenSendableBroadcast(tenant.organization), ({ id }) => ({ id, body: {} })),
  "broadcasts.pause": ({ tenant }) => Effect.map(givenSentBroadcast(tenant.organization), ({ id }) => ({ id })),
  "broadcasts.resume": ({ tenant }) => Effect.map(givenPausedBroadcast(tenant.organization), ({ id }) => ({ id })),
  "broadcasts.cancel": ({ tenant }) => Effect.map(givenSentBroadcast(tenant.organization), ({ id }) => ({ id })),
  "broadcasts.duplicate": onDraft({ name: "Spring again" }),
  "broadcasts.retry": ({ tenant }) =>
    Effect.map(givenCancelledBroadcast(tenant.organization), ({ id }) => ({ id, body: { statuses: ["never_sent"] } })),
  "broadcastSettings.get": nothing,
  "broadcastSettings.update": () => Effect.succeed({ body: { attributionHours: 24 } })
}
