import type { ConversationId, ConversationView, Message } from "@parley/domain"

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
  readonly draft: string
  /** What to tell the person who looks at it. */
  readonly notice: string
}

export const emptyView = (organization: string): View => ({
  organization,
  conversations: [],
  selected: null,
  messages: [],
  scrolled: 0,
  draft: "",
  notice: ""
})

/** The conversation that is selected. */
export const selectedIn = (view: View): ConversationView | null =>
  view.conversations.find(({ id }) => id === view.selected) ?? null

/** The view with conversations as they are now; what was selected stays so while it is there. */
export const withConversations = (view: View, conversations: ReadonlyArray<ConversationView>): View => {
  const isThere = conversations.some(({ id }) => id === view.selected)
  return isThere
    ? { ...view, conversations }
    : { ...view, conversations, selected: conversations[0]?.id ?? null, messages: [], scrolled: 0 }
}
