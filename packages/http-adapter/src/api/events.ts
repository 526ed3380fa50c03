import { ActorRef, Causation, Page, textPatterns, Timestamp } from "@parley/domain/kernel"
import { AuditEvent } from "@parley/domain/platform"
import { Presence, presenceEventType } from "@parley/domain/messaging"
import { PublishedEventTypes } from "@parley/domain/integrations"
import { DomainEvent } from "@parley/domain/composition"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { alsoAnswers, area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { PageQuery } from "./shapes.ts"

/** A row of the feed, the same in a page and in a stream. */
export const FeedEvent = Schema.Struct({
  cursor: Schema.String.annotate({ description: "Cursor of this event for `after`." }),
  position: Schema.Int,
  at: Timestamp,
  actor: ActorRef,
  causation: Schema.NullOr(Causation).annotateKey({
    description: "Automations and workflows that caused the event; `null` for events of people and stores."
  }),
  event: DomainEvent
}).annotate({ identifier: "FeedEvent" })

/** Live event of a stream. It has no cursor. */
export const PresenceEvent = Schema.Struct({ type: Schema.Literal(presenceEventType), ...Presence.fields }).annotate({
  identifier: "PresenceEvent"
})

const Include = Schema.optionalKey(
  Schema.Literals(["presence"]).annotate({
    description:
      "`presence`: a stream also has the events `conversation.presence`, without id. Their data is a PresenceEvent. Pages do not have them."
  })
)

/** The media type of a live feed. */
export const eventStream = "text/event-stream"

const LastEventId = {
  "last-event-id": Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(2048, { message: "Expected at most 2048 characters" }))
  ).annotateKey({
    description:
      "Id of the last event of a stream: the next stream continues after it. It takes precedence over `after`."
  })
}

const SomeTypes = Schema.optionalKey(
  Schema.Array(
    Schema.String.check(
      Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }),
      Schema.isPattern(/^[a-z_]+\.(?:[a-z_]+|\*)$/u, {
        message: "Expected an event type such as contact.created, or a prefix such as contact.*"
      })
    )
  ).check(
    Schema.isBetweenLength(1, 50, { message: "Expected 1 to 50 types" }),
    Schema.isUnique({ message: "Expected each type once" })
  )
).annotateKey({
  description:
    "Only events of this type, for example `message.received`, or with this prefix, for example `contact.*`; can be repeated. Cursors are positions in the whole feed and work with any types."
})

const Since = Schema.optionalKey(Timestamp).annotateKey({
  description:
    "Starts with events at this time or later, instead of `after`. Up to five minutes of earlier events can be included: compare `at`."
})

const streamExample = `id: eyJrIjpbIjQyIl19
event: automation.created
data: {"cursor":"eyJrIjpbIjQyIl19","position":42,"at":"2026-11-20T09:30:00.000Z","actor":{"kind":"user","id":"01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50"},"causation":null,"event":{"type":"automation.created","automationId":"01934f72-0a1b-7c2d-8e3f-405162738495"}}

`

/** The ordered feed of events. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/events", {
      query: { limit: PageQuery.limit, after: PageQuery.cursor, since: Since, type: SomeTypes, include: Include },
      headers: LastEventId,
      success: Page(FeedEvent),
      error: [Problems.PermissionDenied, Problems.CursorInvalid, Problems.TooMany]
    })
      .annotateMerge(
        describe(
          "listEvents",
          "List or stream events",
          "Oldest first, without gaps, after the cursor. `nextCursor` is always set: send it as `after` to continue, now or later. " +
            "It also skips events of other types. " +
            "With `Accept: text/event-stream` the answer is a live stream of server-sent events, starting after " +
            "`Last-Event-ID`, otherwise after the cursor `after`, otherwise now. Each contains a row of the feed as data, and its " +
            "cursor as id. The stream ends when the permissions of the caller change, and after at most 15 minutes: call again with " +
            "the last id."
        )
      )
      .annotateMerge(
        alsoAnswers({
          [eventStream]: {
            schema: { type: "string", description: "Server-sent events. Each contains a FeedEvent as data." },
            example: streamExample
          }
        })
      ),
    HttpApiEndpoint.get("listTypes", "/event_types", {
      success: PublishedEventTypes,
      error: [Problems.PermissionDenied]
    }).annotateMerge(
      describe(
        "listEventTypes",
        "List event types",
        "All types, including types that you cannot see: the required permission, and the schema and an example of a webhook delivery. Fields are only ever added. Calls of automations and tests come last; they are not in the feed."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Events", "The ordered event feed of the organization.")) {}

const Word = Schema.String.check(
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }),
  Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
)

const word = (description: string) => Schema.optionalKey(Word).annotateKey({ description })

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** The trail of changes. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit_events", {
      query: {
        ...PageQuery,
        actorId: word("Only changes by this user, automation token or operator."),
        targetKind: word("Only changes of this kind of resource, for example `member`."),
        targetId: word("Only changes of the resource with this id."),
        action: word("Only this action, for example `member.invited`."),
        from: time("Only changes at this time or later."),
        to: time("Only changes before this time.")
      },
      success: Page(AuditEvent),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listAuditEvents",
        "List audit events",
        "All changes through the API or the command line, newest first. `from` is inclusive, `to` is exclusive."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Audit", "All changes with their time and author.")) {}
