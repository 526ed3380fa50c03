import type { Redacted } from "effect"
import { sealedField } from "../../kernel/index.ts"
import type { ChatAccountId } from "./Ids.ts"

const accessTokens = sealedField("chat_account", "access_token", {
  kind: "configuration",
  reason:
    "A provider's token goes to the API of the provider, which only the configuration names. An account with its own URL has a signing secret here. Parley never sends it."
})

const appSecrets = sealedField("chat_account", "app_secret", {
  kind: "never_sent",
  reason: "It verifies deliveries, and signs messages to an account with its own URL."
})

const verifyTokens = sealedField("chat_account", "verify_token", {
  kind: "never_sent",
  reason: "The provider sends it to Parley, which compares it."
})

export const chatSealedValues = [accessTokens, appSecrets, verifyTokens] as const

const byName = { access_token: accessTokens, app_secret: appSecrets, verify_token: verifyTokens }

/** The secrets of a chat account, by their storage names. */
export type ChatSecretName = keyof typeof byName

/** The context that a secret of a chat account is sealed for. */
export const secretContext = (id: ChatAccountId, name: ChatSecretName) => byName[name].context(id)

/** Seals a secret for one chat account. */
export const sealSecret = (id: ChatAccountId, name: ChatSecretName, secret: Redacted.Redacted) =>
  byName[name].seal(id, secret)

/** Opens a secret of a chat account. */
export const openSecret = (id: ChatAccountId, name: ChatSecretName, sealed: string) => byName[name].open(id, sealed)
