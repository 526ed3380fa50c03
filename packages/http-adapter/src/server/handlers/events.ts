import { listEvents } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"

/** The feed of events. */
export const layer = HttpApiBuilder.group(Api, "events", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.map(listEvents({ limit: query.limit ?? 25, cursor: query.after ?? null }), ({ data, nextCursor }) => ({
        data: data.map(({ cursor, event }) => ({ ...event, cursor })),
        nextCursor
      }))
  })
)
