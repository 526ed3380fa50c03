import type { UserId } from "@parley/domain/kernel"
import type { ConversationId, ConversationView, Message } from "@parley/domain/messaging"

/** An answer that is being sent. A repeated call with the same key sends it to the customer once. */
export interface Sending {
  readonly conversation: ConversationId
  readonly text: string
  readonly key: string
}

/** State of the inbox on the terminal. */
export interface View {
  readonly organization: string
  /** Whether the conversations were never read. */
  readonly isLoading: boolean
  /** Latest first. */
  readonly conversations: ReadonlyArray<ConversationView>
  readonly selected: ConversationId | null
  /** Messages of the selected conversation, oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** Number of lines that the messages are scrolled back. */
  readonly scrolled: number
  /** Unsent drafts, by conversation. */
  readonly drafts: ReadonlyMap<ConversationId, string>
  /** Last answer that was given to the service; null after the service has accepted it. */
  readonly sending: Sending | null
  /** Whether a call for the answer is running. */
  readonly isSending: boolean
  /** Whether the service is unreachable. */
  readonly isAway: boolean
  /** Open question to the user. */
  readonly asks: "resolve" | null
  /** Names of the users of the organization. */
  readonly people: ReadonlyMap<UserId, string>
  /** Notice to the user. */
  readonly notice: string
}

export const emptyView = (organization: string): View => ({
  organization,
  isLoading: true,
  conversations: [],
  selected: null,
  messages: [],
  scrolled: 0,
  drafts: new Map(),
  sending: null,
  isSending: false,
  isAway: false,
  asks: null,
  people: new Map(),
  notice: ""
})

/** Returns the selected conversation. */
export const selectedIn = (view: View): ConversationView | null =>
  view.conversations.find(({ id }) => id === view.selected) ?? null

/** Returns the unsent draft of a conversation. */
export const draftTo = (view: View, conversation: ConversationId | null): string =>
  conversation === null ? "" : (view.drafts.get(conversation) ?? "")

/** Returns the view with another draft of a conversation. */
export const withDraft = (view: View, conversation: ConversationId | null, draft: string): View => {
  if (conversation === null || draftTo(view, conversation) === draft) return view
  const drafts = new Map(view.drafts)
  if (draft === "") drafts.delete(conversation)
  else drafts.set(conversation, draft)
  return { ...view, drafts }
}

/** Returns the view after the service has accepted an answer. Text that was typed since stays. */
export const withSent = (view: View, { conversation, text }: Sending): View => {
  const draft = draftTo(view, conversation)
  const rest = draft.startsWith(text) ? draft.slice(text.length) : draft
  return { ...withDraft(view, conversation, rest), sending: null, isSending: false, notice: "", scrolled: 0 }
}

/** Returns the view with current conversations. The selection stays while its conversation exists. */
export const withConversations = (before: View, conversations: ReadonlyArray<ConversationView>): View => {
  const view: View = { ...before, isLoading: false }
  const isThere = conversations.some(({ id }) => id === view.selected)
  return isThere
    ? { ...view, conversations }
    : { ...view, conversations, selected: conversations[0]?.id ?? null, messages: [], scrolled: 0, asks: null }
}
