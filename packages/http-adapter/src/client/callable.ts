import { Effect } from "effect"
import { HttpApi, type HttpApiClient } from "effect/http-api"
import { Api } from "../api/Api.ts"
import type { CallFailure, Client, Follow } from "./Client.ts"
import { carriesOf, CurrentCall } from "./CurrentCall.ts"

type Derived = HttpApiClient.ForApi<typeof Api, CallFailure>

type Send = (request: object) => Effect.Effect<unknown, unknown>

/** Tells every call what it carries, and lets callers leave out the parts in which everything is optional. */
export const callable = (derived: Derived, follow: Follow): Client => {
  const sends = derived as unknown as Readonly<Record<string, Readonly<Record<string, Send>>>>
  const areas: Record<string, Record<string, (request?: object) => Effect.Effect<unknown, unknown>>> = {}
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => {
      areas[group.identifier] = {}
    },
    onEndpoint: ({ endpoint, group }) => {
      const send = sends[group.identifier]?.[endpoint.identifier]
      const area = areas[group.identifier]
      if (send === undefined || area === undefined) return
      const carries = carriesOf(endpoint)
      area[endpoint.identifier] = (request) =>
        Effect.provideService(send({ query: {}, headers: {}, ...request }), CurrentCall, carries)
    }
  })
  return { ...areas, events: { ...areas.events, follow } } as unknown as Client
}
