import { ActorRef, DomainEvent, Page, Timestamp } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { PageQuery } from "./shapes.ts"

const FeedEvent = Schema.Struct({
  cursor: Schema.String.annotate({ description: "Goes on after this event when it is sent as `after`." }),
  position: Schema.Int,
  at: Timestamp,
  actor: ActorRef,
  event: DomainEvent
}).annotate({ identifier: "FeedEvent" })

/** The ordered feed of events. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/events", {
      query: { limit: PageQuery.limit, after: PageQuery.cursor },
      success: Page(FeedEvent),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listEvents",
        "Read the event feed",
        "Oldest first, without gaps, after the cursor. `nextCursor` is always set: send it as `after` to go on, now or later."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Events", "The organization's ordered feed of what happened.")) {}
