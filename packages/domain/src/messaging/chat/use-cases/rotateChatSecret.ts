import { DateTime, Effect, Redacted } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { ChatAccount, ChatAccountView } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { endpointSecrets } from "../endpointSecrets.ts"
import type { ChatAccountId } from "../Ids.ts"
import { formerSecretFor } from "../formerSecretFor.ts"
import { saveAccount } from "../saveAccount.ts"
import { shownAccount } from "../shown.ts"

/** Makes a new secret for an account that is an address of its own, and shows it once. The one before it is good for a day more. */
export const rotateChatSecret = useCase(
  "chatAccounts.rotateSecret",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (id: ChatAccountId) {
    yield* (yield* Locks).exclusive("chat_accounts")
    const accounts = yield* ChatAccounts
    const before = yield* accounts.get(id)
    yield* channelFor(before, "endpoints")
    const [kept] = yield* accounts.secrets([id])
    const updatedAt = yield* DateTime.now
    const former = kept?.appSecret ?? null
    const { secret, secrets } = yield* endpointSecrets(
      id,
      former === null ? null : { sealed: former, until: DateTime.add(updatedAt, formerSecretFor) }
    )
    const saved = yield* saveAccount(before, new ChatAccount({ ...before, updatedAt }), secrets)
    yield* record("chat_account.secret_rotated", { kind: "chat_account", id })
    return new ChatAccountView({ ...(yield* shownAccount(saved)), signingSecret: Redacted.value(secret) })
  }, transact)
)
