import { listEvents, listEventTypes, type Timestamp } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { eventStream } from "../../api/events.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { OpenStreams } from "../OpenStreams.ts"
import { acceptsType } from "../acceptsType.ts"
import { withFaultPointers } from "../faultPointers.ts"
import { streamEvents } from "../streamEvents.ts"
import { inQuery } from "./contacts.ts"

const asked = ({ since, type }: { readonly since?: Timestamp; readonly type?: ReadonlyArray<string> }) => ({
  ...(since !== undefined && { since }),
  ...(type !== undefined && { types: type })
})

/** The feed of events. */
export const layer = HttpApiBuilder.group(Api, "events", (handlers) =>
  Effect.map(OpenStreams, (streams) =>
    withAnswerWriters(handlers).handleAll({
      list: ({ headers, query, request }) =>
        acceptsType(request.headers.accept, eventStream)
          ? streamEvents({ ...asked(query), cursor: headers["last-event-id"] ?? query.after ?? null }).pipe(
              Effect.provideService(OpenStreams, streams),
              withFaultPointers(inQuery)
            )
          : Effect.map(
              listEvents(asked(query), { limit: query.limit ?? 25, cursor: query.after ?? null }).pipe(
                withFaultPointers(inQuery)
              ),
              ({ data, nextCursor }) => ({
                data: data.map(({ cursor, event }) => ({ ...event, cursor })),
                nextCursor
              })
            ),
      listTypes: () => listEventTypes()
    })
  )
)
