import {
  Assignee,
  ChatAccountId,
  ContactId,
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
  Page,
  PresenceState,
  Priority,
  textPatterns,
  Timestamp,
  UserId
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { expandOf, idOf, IfMatch, PageQuery } from "./shapes.ts"

const conversation = idOf(ConversationId, "conversation")

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

const several = <A extends Schema.Top>(one: A, what: string) =>
  Schema.Array(one).check(
    Schema.isBetweenLength(1, 5, { message: `Expected 1 to 5 ${what}` }),
    Schema.isUnique({ message: "Expected each once" })
  )

const words = (most: number) =>
  Schema.String.check(
    Schema.isBetweenCodePoints(1, most, { message: `Expected 1 to ${most} characters` }),
    Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
  )

const expand = expandOf(ConversationExpansion)

/** What a list of conversations may be asked for. */
const ConversationsQuery = {
  ...PageQuery,
  status: Schema.optionalKey(several(ConversationStatus, "statuses")).annotateKey({
    description: "Only conversations in this status; may be repeated."
  }),
  assignee: Schema.optionalKey(Schema.Union([Schema.Literals(["me", "none"]), UserId])).annotateKey({
    description: "Only conversations of this user, of whoever asks (`me`), or of nobody (`none`)."
  }),
  unread: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Only conversations with messages that nobody has read, or only those without."
  }),
  awaitingReply: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Only conversations in which the contact waits for an answer, or only those in which nobody does."
  }),
  priority: Schema.optionalKey(several(Priority, "priorities")).annotateKey({
    description: "Only conversations with this priority; may be repeated."
  }),
  label: Schema.optionalKey(several(words(40), "labels")).annotateKey({
    description: "Only conversations with this label; may be repeated."
  }),
  chatAccountId: Schema.optionalKey(ChatAccountId).annotateKey({
    description: "Only conversations over this number."
  }),
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only conversations with this contact." }),
  q: Schema.optionalKey(words(200)).annotateKey({
    description: "Words that a message of the conversation has, each from its beginning."
  }),
  sort: Schema.optionalKey(
    Schema.Literals(["-lastActivityAt", "lastActivityAt", "-createdAt", "createdAt", "waitingSince", "priority"])
  ).annotateKey({
    description:
      "The order; a minus is for descending. `-lastActivityAt` if not said. `waitingSince` has those first in which somebody has waited longest for an answer, `priority` the most urgent ones; the others, and those of the same priority, follow as for `-lastActivityAt`."
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
        "Everything that is asked for must hold. The conversation in which something happened last comes first."
      )
    ),
    HttpApiEndpoint.post("create", "/conversations", {
      payload: NewConversation,
      success: ConversationView.pipe(HttpApiSchema.status(201)),
      error: [...read, Problems.ConversationExists, Problems.RecipientTaken, Problems.UnsupportedByChannel]
    })
      .annotateMerge(
        describe(
          "openConversation",
          "Begin a conversation",
          "With a contact over a number. Messages go to the `recipient` that is named, else to whoever of the contact has the latest open window, else to its phone. Until the contact writes, only templates may be sent. A contact has one unresolved conversation over each number at most."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("counts", "/conversations/counts", {
      success: ConversationCounts,
      error: Problems.PermissionDenied
    }).annotateMerge(describe("countConversations", "Count the conversations of each status")),
    HttpApiEndpoint.post("bulk", "/conversations/bulk", {
      payload: ConversationBulk,
      success: ConversationBulkResult,
      error: read
    })
      .annotateMerge(
        describe(
          "changeConversations",
          "Change many conversations",
          "Up to 100 at once. Those that the change does not fit stay as they are and are named in the answer, with the reason."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/conversations/:id", {
      params: conversation,
      query: { expand },
      success: ExpandedConversation,
      error: read
    }).annotateMerge(describe("getConversation", "Read a conversation")),
    HttpApiEndpoint.patch("update", "/conversations/:id", {
      params: conversation,
      headers: IfMatch,
      payload: ConversationPatch,
      success: ConversationView,
      error: [
        ...changed,
        Problems.ConversationTransitionInvalid,
        Problems.ConversationExists,
        Problems.RecipientTaken,
        Problems.UnsupportedByChannel
      ]
    }).annotateMerge(
      describe(
        "updateConversation",
        "Change a conversation",
        "`recipient` names the identity of the contact that messages go to, until another one writes. To put a conversation off, use `POST /conversations/{id}/snooze`."
      )
    ),
    HttpApiEndpoint.post("read", "/conversations/:id/read", {
      params: conversation,
      success: ConversationView,
      error: read
    })
      .annotateMerge(describe("readConversation", "Say that all that came in was read"))
      .middleware(Idempotent),
    HttpApiEndpoint.post("unread", "/conversations/:id/unread", {
      params: conversation,
      success: ConversationView,
      error: read
    })
      .annotateMerge(
        describe(
          "unreadConversation",
          "Mark a conversation as unread",
          "The last of what came in counts as unread again. One with unread messages stays as it is."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.put("presence", "/conversations/:id/presence", {
      params: conversation,
      payload: Schema.Struct({
        state: PresenceState.annotateKey({
          description: "`viewing`, `typing`, or `left` to end the presence before it expires."
        })
      }).annotate({ identifier: "PresenceChange" }),
      success: HttpApiSchema.NoContent,
      error: read
    }).annotateMerge(
      describe(
        "showPresence",
        "Show your presence in a conversation",
        "Other members see it for 15 seconds as the event `conversation.presence` of event streams with `include=presence`. Repeat the call while you view or type. Nothing is stored."
      )
    ),
    HttpApiEndpoint.post("assign", "/conversations/:id/assign", {
      params: conversation,
      payload: Schema.Struct({
        assigneeId: Assignee.annotateKey({
          description: "The user who takes care of it, `me`, or `null` for nobody."
        })
      }).annotate({ identifier: "ConversationAssignment" }),
      success: ConversationView,
      error: read
    })
      .annotateMerge(describe("assignConversation", "Hand a conversation to a member, or to nobody"))
      .middleware(Idempotent),
    HttpApiEndpoint.post("snooze", "/conversations/:id/snooze", {
      params: conversation,
      payload: Schema.Struct({
        until: Timestamp.pipe(Schema.annotateKey({ description: "When it comes back by itself." }))
      }).annotate({ identifier: "ConversationSnooze" }),
      success: ConversationView,
      error: [...read, Problems.ConversationTransitionInvalid]
    })
      .annotateMerge(
        describe(
          "snoozeConversation",
          "Put a conversation off",
          "It is open again then, or when the contact writes. One that is put off already gets the new time."
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
          "Say that a conversation is done",
          "If the contact writes again soon it is open again; later a new conversation begins."
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
          "Take a conversation up again",
          "Not if the contact has another unresolved one over the same number by now: that is 409 `conversation_exists`, and `conversationId` says which one."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Conversations", "The inbox: what the team and its contacts write each other, and who takes care of it.")
  ) {}
