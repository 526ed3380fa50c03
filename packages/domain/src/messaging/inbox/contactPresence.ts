import { Effect } from "effect"
import { channelFor, ChatAccounts, openProviderConnection } from "../chat/index.ts"
import { Conversations } from "./Conversations.ts"
import type { ConversationId, Message } from "./Message.ts"
import { Messages } from "./Messages.ts"
import { toProviderMessageId } from "./followingFiles.ts"

/** Number of latest messages to search for a message of the contact. */
const maxScannedMessages = 20

const hasProviderId = (message: Message): message is Message & { readonly providerMessageId: string } =>
  message.direction === "inbound" && message.providerMessageId !== null

/**
 * Shows the contact that its messages were read, and with `isTyping` that the team types. Nothing is stored. A failure of the provider is only
 * logged, because callers repeat the call while they type. Call it outside a unit of work.
 */
export const showContact = Effect.fnUntraced(
  function* (id: ConversationId, { isTyping }: { readonly isTyping: boolean }) {
    const { chatAccountId } = (yield* (yield* Conversations).get(id)).conversation
    const latest = yield* (yield* Messages).list(id, { limit: maxScannedMessages, after: null })
    const last = latest.find(hasProviderId)
    const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
    if (last === undefined || account === undefined || account.status === "disconnected") return
    const { markRead } = yield* channelFor(account, "sending")
    yield* markRead(yield* openProviderConnection(account), toProviderMessageId(last.providerMessageId), { isTyping })
  },
  Effect.catch((error) => Effect.logDebug("The chat provider did not show the presence", error))
)
