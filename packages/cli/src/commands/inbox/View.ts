import type { ConversationId, ConversationView, Message, UserId } from "@parley/domain"

/** An answer on its way. Sent again with the same key, it gets to the customer once. */
export interface Sending {
  readonly conversation: ConversationId
  readonly text: string
  readonly key: string
}

/** What the inbox on a terminal shows. */
export interface View {
  readonly organization: string
  /** The latest first. */
  readonly conversations: ReadonlyArray<ConversationView>
  readonly selected: ConversationId | null
  /** Those of the selected conversation, the oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** How many lines the messages are scrolled back. */
  readonly scrolled: number
  /** What is written and not sent, by conversation. */
  readonly drafts: ReadonlyMap<ConversationId, string>
  /** The answer that the service has been given last, until it has taken it. */
  readonly sending: Sending | null
  /** Whether the service is at work on it now. */
  readonly isSending: boolean
  /** Whether the service is out of reach. */
  readonly isAway: boolean
  /** What the person is asked, and has not said yes to. */
  readonly asks: "resolve" | null
  /** What the people of the organization are called. */
  readonly people: ReadonlyMap<UserId, string>
  /** What to tell the person who looks at it. */
  readonly notice: string
}

export const emptyView = (organization: string): View => ({
  organization,
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

/** The conversation that is selected. */
export const selectedIn = (view: View): ConversationView | null =>
  view.conversations.find(({ id }) => id === view.selected) ?? null

/** What is written to a conversation and not sent. */
export const draftTo = (view: View, conversation: ConversationId | null): string =>
  conversation === null ? "" : (view.drafts.get(conversation) ?? "")

/** The view with another draft to a conversation. */
export const withDraft = (view: View, conversation: ConversationId | null, draft: string): View => {
  if (conversation === null || draftTo(view, conversation) === draft) return view
  const drafts = new Map(view.drafts)
  if (draft === "") drafts.delete(conversation)
  else drafts.set(conversation, draft)
  return { ...view, drafts }
}

/** The view once the service has taken the answer; what was written meanwhile stays. */
export const withSent = (view: View, { conversation, text }: Sending): View => {
  const draft = draftTo(view, conversation)
  const rest = draft.startsWith(text) ? draft.slice(text.length) : draft
  return { ...withDraft(view, conversation, rest), sending: null, isSending: false, notice: "", scrolled: 0 }
}

/** The view with conversations as they are now; what was selected stays so while it is there. */
export const withConversations = (view: View, conversations: ReadonlyArray<ConversationView>): View => {
  const isThere = conversations.some(({ id }) => id === view.selected)
  return isThere
    ? { ...view, conversations }
    : { ...view, conversations, selected: conversations[0]?.id ?? null, messages: [], scrolled: 0, asks: null }
}
