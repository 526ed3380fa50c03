import { listEvents } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { eventStream } from "../../api/events.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { OpenStreams } from "../OpenStreams.ts"
import { acceptsType } from "../acceptsType.ts"
import { streamEvents } from "../streamEvents.ts"

/** The feed of events. */
export const layer = HttpApiBuilder.group(Api, "events", (handlers) =>
  Effect.map(OpenStreams, (streams) =>
    withAnswerWriters(handlers).handleAll({
      list: ({ headers, query, request }) =>
        acceptsType(request.headers.accept, eventStream)
          ? Effect.provideService(streamEvents(headers["last-event-id"] ?? query.after ?? null), OpenStreams, streams)
          : Effect.map(
              listEvents({ limit: query.limit ?? 25, cursor: query.after ?? null }),
              ({ data, nextCursor }) => ({
                data: data.map(({ cursor, event }) => ({ ...event, cursor })),
                nextCursor
              })
            )
    })
  )
)
