import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { Contacts } from "@parley/domain/crm"
import { type Conversation, listConversations, listMessages } from "@parley/domain/messaging"
import type { PluginManifest } from "@parley/domain/integrations"
import { StoredBroadcastSettings } from "@parley/domain/campaigns"
import {
  type Action,
  type ActionCause,
  type ActionFacts,
  type ActionResult,
  AutomationId,
  AutomationRunId,
  performAction
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { asOperatorOf } from "../../../fixtures/actors.ts"
import { givenContact } from "../../../fixtures/contacts.ts"
import { givenConversation, givenNumber } from "../../../fixtures/inbox.ts"
import { aManifest } from "../../../fixtures/plugins.ts"
import { freshId, givenOrganization, present } from "../../given.ts"

/** Ten o'clock of a working day in Berlin, where the contact is. */
export const morning = DateTime.makeUnsafe("2026-03-02T09:00:00Z")

export const given = Effect.gen(function* () {
  yield* present
  yield* TestClock.setTime(DateTime.toEpochMillis(morning))
  const organization = yield* givenOrganization()
  const account = yield* givenNumber(organization)
  const digits = String(Number.parseInt(account.id.slice(-7), 16)).padStart(9, "0")
  const contact = yield* givenContact(organization, {
    name: "Ada Lovelace",
    phone: `+491511${digits.slice(0, 7)}`,
    timezone: "Europe/Berlin",
    marketing: { state: "subscribed" }
  })
  const cause: ActionCause = {
    kind: "automation",
    id: freshId(AutomationId),
    runId: freshId(AutomationRunId),
    step: "0",
    visit: 1
  }
  const facts: ActionFacts = {
    contactId: contact.id,
    conversationId: null,
    texts: {
      contact: { name: contact.name, firstName: "Ada", locale: "en", attribute: { city: "London" } },
      order: { name: "#1001", total: { amountMinor: 123_450, currency: "EUR" } }
    }
  }
  return { organization, account, contact, cause, facts }
})

export type World = Effect.Success<typeof given>

export const talking = (world: World, overrides: Partial<Conversation> = {}) =>
  Effect.map(
    givenConversation(world.organization, {
      contactId: world.contact.id,
      chatAccountId: world.account.id,
      ...overrides
    }),
    (conversation) => ({ ...world, conversation })
  )

/** Performs it as a separate step, unless given. */
export const perform = (
  { cause, facts, organization }: Pick<World, "cause" | "facts" | "organization">,
  action: Action,
  step: string = freshId(AutomationRunId)
) => transact(performAction(action, { cause: { ...cause, step }, facts })).pipe(asOperatorOf(organization))

export const codeOf = (result: ActionResult) => (result.kind === "refused" ? result.error.code : result.kind)

export const errorOf = (result: ActionResult) => (result.kind === "refused" ? result.error : null)

/** A plugin with inputs of several types. */
export const typedManifest = (key: string): PluginManifest => ({
  ...aManifest,
  key: `t-${key.replaceAll("-", "").slice(-30)}`,
  actions: [
    {
      key: "take",
      path: "/actions/take",
      timeoutSeconds: 10,
      input: {
        type: "object",
        properties: {
          points: { type: "integer" },
          note: { type: "string" },
          price: { type: "string" },
          vip: { type: "boolean" }
        }
      },
      output: { type: "object" }
    }
  ]
})

export const effectOf = (result: ActionResult) =>
  result.kind === "done" ? result.effect : assert.fail(JSON.stringify(result))

export const contactNow = ({ contact, organization }: Pick<World, "contact" | "organization">) =>
  Effect.flatMap(Contacts, (contacts) => contacts.get(contact.id)).pipe(asOperatorOf(organization), Effect.orDie)

export const messagesIn = (organization: Organization, id: Conversation["id"]) =>
  Effect.map(listMessages({ id, page: { limit: 50, cursor: null } }), ({ data }) => data).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )

export const conversationsOf = ({ contact, organization }: Pick<World, "contact" | "organization">) =>
  Effect.map(listConversations({ contactId: contact.id, page: { limit: 50, cursor: null } }), ({ data }) => data).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )

export const settings = (organization: Organization, input: object) =>
  Effect.gen(function* () {
    const stored = yield* StoredBroadcastSettings
    yield* transact(stored.save({ ...(yield* stored.get()), ...input }, null))
  }).pipe(asOperatorOf(organization), Effect.orDie)

export const text = (text: string): Action => ({ type: "send_message", message: { kind: "text", text: text } })
