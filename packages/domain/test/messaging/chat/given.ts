import {
  type ChatAccountId,
  connectChatAccount,
  createMessageTemplate,
  type NewNumber,
  type NewMessageTemplate,
  type ProviderTemplate
} from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { asOperatorOf, type MemoryChat, type Of, TestKit } from "@parley/testkit"
import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"

/** Each test has a separate store and provider, because the provider in memory is shared by all organizations. */
export const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports | MemoryChat.ChatScript>) =>
  it.effect(name, () => Effect.provide(body(), TestKit.layer, { local: true }))

/** A number through an app of the organization's own. */
export const ownNumber: NewNumber = {
  displayName: "Bakery",
  externalAccountId: "business-1",
  externalPhoneId: "phone-1",
  accessToken: Redacted.make("token-1"),
  appSecret: Redacted.make("app-secret-1")
}

export const givenConnected = (organization: Of, overrides: Partial<NewNumber> = {}) =>
  connectChatAccount({ ...ownNumber, ...overrides }).pipe(asOperatorOf(organization), Effect.orDie)

export const helloText = "Hello {{1}}, welcome."

export const hello = { body: { text: helloText, examples: { "1": "Ada" } } } as const

/** Text of a second template. The provider rejects two templates with the same text. */
export const greeting = { body: { text: "Good morning {{1}}, welcome.", examples: { "1": "Ada" } } } as const

export const givenDraft = (
  organization: Of,
  chatAccountId: ChatAccountId,
  overrides: Partial<Omit<NewMessageTemplate, "chatAccountId">> = {}
) =>
  createMessageTemplate({
    chatAccountId,
    name: "hello",
    language: "en",
    category: "utility",
    components: hello,
    ...overrides
  }).pipe(asOperatorOf(organization), Effect.orDie)

/** A template as the provider keeps it, without asking us. */
export const keptByProvider = (overrides: Partial<ProviderTemplate> = {}): ProviderTemplate => ({
  externalId: "provider-1",
  name: "hello",
  language: "en",
  category: "utility",
  components: hello,
  status: "approved",
  rejectionReason: null,
  quality: "green",
  qualityAt: null,
  announcedCategory: null,
  timeToLive: null,
  libraryName: null,
  ...overrides
})
