import { Effect, type Redacted } from "effect"
import { CurrentOrganization, Vault } from "../kernel/index.ts"
import type { ChatAccountId } from "./Ids.ts"

/** The secrets of a chat account, by where they are kept. */
export type ChatSecretName = "access_token" | "app_secret" | "verify_token"

/** What a secret of a chat account is sealed for. */
export const secretContext = Effect.fnUntraced(function* (id: ChatAccountId, name: ChatSecretName) {
  return `chat_account/${(yield* CurrentOrganization).id}/${id}/${name}`
})

/** Seals a secret of a chat account, so that it opens for this account only. */
export const sealSecret = Effect.fnUntraced(function* (
  id: ChatAccountId,
  name: ChatSecretName,
  secret: Redacted.Redacted
) {
  return yield* (yield* Vault).seal(yield* secretContext(id, name), secret)
})

/** Opens a secret of a chat account. */
export const openSecret = Effect.fnUntraced(function* (id: ChatAccountId, name: ChatSecretName, sealed: string) {
  return yield* (yield* Vault).open(yield* secretContext(id, name), sealed)
})
