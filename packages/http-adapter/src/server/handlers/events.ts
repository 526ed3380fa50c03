import { listEvents } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { eventStream } from "../../api/events.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { OpenStreams } from "../OpenStreams.ts"
import { streamEvents } from "../streamEvents.ts"

/** Whether the media type is among those that the caller accepts, by its own name. */
const names = (accept: string | undefined, mediaType: string) =>
  accept !== undefined &&
  accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })

/** The feed of events. */
export const layer = HttpApiBuilder.group(Api, "events", (handlers) =>
  Effect.map(OpenStreams, (streams) =>
    withAnswerWriters(handlers).handleAll({
      list: ({ headers, query, request }) =>
        names(request.headers.accept, eventStream)
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
