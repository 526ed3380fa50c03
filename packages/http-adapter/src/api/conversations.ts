import { Page, textPatterns, Timestamp, UserId } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  Assignee,
  ChatAccountId,
  ConversationBulk,
  ConversationBulkResult,
  ConversationCounts,
  ConversationExpansion,
  ConversationId,
  ConversationPatch,
  ConversationStatus,
  ConversationView,
  ExpandedConversation,
  NewConversation,
  PresenceState,
  Priority
} from "@parley/domain/messaging"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { expandOf, idOf, IfMatch, PageQuery, several } from "./shapes.ts"

const conversation = idOf(ConversationId, "conversation")

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

const words = (most: number) =>
  Schema.String.check(
    Schema.isBetweenCodePoints(1, most, { message: `Expected 1 to ${most} characters` }),
    Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
  )

const expand = expandOf(
  ConversationExpansion,
  "`cost` needs the permission `analytics.read`; without it the field is absent."
)

/** Parameters of a list of conversations. */
const ConversationsQuery = {
  ...PageQuery,
  status: Schema.optionalKey(several(ConversationStatus, "statuses")).annotateKey({
    description: "Only conversations in this status; can be repeated."
  }),
  assignee: Schema.optionalKey(Schema.Union([Schema.Literals(["me", "none"]), UserId])).annotateKey({
    description: "Only conversations assigned to this user, to the caller (`me`), or unassigned (`none`)."
  }),
  unread: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Only conversations with or without unread messages."
  }),
  awaitingReply: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Only conversations in which the contact waits, or does not wait, for an answer."
  }),
  priority: Schema.optionalKey(several(Priority, "priorities")).annotateKey({
    description: "Only conversations with this priority; can be repeated."
  }),
  label: Schema.optionalKey(several(words(40), "labels")).annotateKey({
    description: "Only conversations with this label; can be repeated."
  }),
  chatAccountId: Schema.optionalKey(ChatAccountId).annotateKey({
    description: "Only conversations over this number."
  }),
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only conversations with this contact." }),
  q: Schema.optionalKey(words(200)).annotateKey({
    description: "Word prefixes in the messages of the conversation."
  }),
  sort: Schema.optionalKey(
    Schema.Literals(["-lastActivityAt", "lastActivityAt", "-createdAt", "createdAt", "waitingSince", "priority"])
  ).annotateKey({
    description:
      "Sort order; a minus is descending. Default: `-lastActivityAt`. `waitingSince` starts with the longest wait for an answer, `priority` with the most urgent; other conversations, and those with the same priority, follow by `-lastActivityAt`."
  }),
  expand
}

/** Conversations: what the team and a contact write each other over one number. */
export class ConversationsApi extends HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list", "/conversations", {
      query: ConversationsQuery,
      success: Page(ExpandedConversation),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listConversations",
        "List and search conversations",
        "Conversations must match all given parameters. The most recently active conversation comes first."
      )
    ),
    HttpApiEndpoint.post("create", "/conversations", {
      payload: NewConversation,
      success: ConversationView.pipe(HttpApiSchema.status(201)),
      error: [...read, Problems.ConversationExists, Problems.RecipientReassigned, Problems.UnsupportedByChannel]
    })
      .annotateMerge(
        describe(
          "openConversation",
          "Open a conversation",
          "Opens a conversation with a contact over a number. Messages go to the given `recipient`, otherwise to the contact's identity with the latest open window, otherwise to its phone. Until the contact writes, only templates can be sent. A contact has at most one unresolved conversation per number."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("counts", "/conversations/counts", {
      success: ConversationCounts,
      error: Problems.PermissionDenied
    }).annotateMerge(describe("countConversations", "Count conversations by status")),
    HttpApiEndpoint.post("bulk", "/conversations/bulk", {
      payload: ConversationBulk,
      success: ConversationBulkResult,
      error: read
    })
      .annotateMerge(
        describe(
          "changeConversations",
          "Change many conversations",
          "Up to 100 conversations. Conversations that cannot be changed stay the same and are in the answer with the reason."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/conversations/:id", {
      params: conversation,
      query: { expand },
      success: ExpandedConversation,
      error: read
    }).annotateMerge(describe("getConversation", "Get a conversation")),
    HttpApiEndpoint.patch("update", "/conversations/:id", {
      params: conversation,
      headers: IfMatch,
      payload: ConversationPatch,
      success: ConversationView,
      error: [
        ...changed,
        Problems.ConversationTransitionInvalid,
        Problems.ConversationExists,
        Problems.RecipientReassigned,
        Problems.UnsupportedByChannel
      ]
    }).annotateMerge(
      describe(
        "updateConversation",
        "Update a conversation",
        "`recipient` is the identity of the contact that gets messages, until another identity writes. To snooze a conversation, use `POST /conversations/{id}/snooze`."
      )
    ),
    HttpApiEndpoint.post("read", "/conversations/:id/read", {
      params: conversation,
      success: ConversationView,
      error: read
    })
      .annotateMerge(describe("markConversationRead", "Mark a conversation as read"))
      .middleware(Idempotent),
    HttpApiEndpoint.post("unread", "/conversations/:id/unread", {
      params: conversation,
      success: ConversationView,
      error: read
    })
      .annotateMerge(
        describe(
          "markConversationUnread",
          "Mark a conversation as unread",
          "Counts the last incoming message as unread. A conversation with unread messages stays the same."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.put("presence", "/conversations/:id/presence", {
      params: conversation,
      payload: Schema.Struct({
        state: PresenceState.annotateKey({
          description: "`viewing`, `typing`, or `left` to end the presence before it expires."
        }),
        showToContact: Schema.optionalKey(Schema.Boolean).annotateKey({
          description:
            "Whether the contact sees it too: its messages as read and, while you type, a typing indicator for up to 25 seconds. Default: false."
        })
      }).annotate({ identifier: "PresenceChange" }),
      success: HttpApiSchema.NoContent,
      error: read
    }).annotateMerge(
      describe(
        "showPresence",
        "Show your presence in a conversation",
        "Other members see it for 15 seconds as the event `conversation.presence` of event streams with `include=presence`. Repeat the call while you view or type. Nothing is stored. With `showToContact`, which requires the permission `conversations.manage`, automation tokens can call it too."
      )
    ),
    HttpApiEndpoint.post("assign", "/conversations/:id/assign", {
      params: conversation,
      payload: Schema.Struct({
        assigneeId: Assignee.annotateKey({
          description: "Assigned user, `me`, or `null` to unassign."
        })
      }).annotate({ identifier: "ConversationAssignment" }),
      success: ConversationView,
      error: read
    })
      .annotateMerge(describe("assignConversation", "Assign or unassign a conversation"))
      .middleware(Idempotent),
    HttpApiEndpoint.post("snooze", "/conversations/:id/snooze", {
      params: conversation,
      payload: Schema.Struct({
        until: Timestamp.pipe(Schema.annotateKey({ description: "Time when the conversation opens again." }))
      }).annotate({ identifier: "ConversationSnooze" }),
      success: ConversationView,
      error: [...read, Problems.ConversationTransitionInvalid]
    })
      .annotateMerge(
        describe(
          "snoozeConversation",
          "Snooze a conversation",
          "It opens again at that time, or when the contact writes. A snoozed conversation gets the new time."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("resolve", "/conversations/:id/resolve", {
      params: conversation,
      success: ConversationView,
      error: [...read, Problems.ConversationTransitionInvalid]
    })
      .annotateMerge(
        describe(
          "resolveConversation",
          "Resolve a conversation",
          "If the contact writes again soon, it opens again; later a new conversation starts."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("reopen", "/conversations/:id/reopen", {
      params: conversation,
      success: ConversationView,
      error: [...read, Problems.ConversationTransitionInvalid, Problems.ConversationExists]
    })
      .annotateMerge(
        describe(
          "reopenConversation",
          "Reopen a conversation",
          "If the contact has another unresolved conversation over the same number, the answer is 409 `conversation_exists`, and `conversationId` is that conversation."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Conversations", "The inbox: messages between the team and its contacts, and assignments.")) {}
