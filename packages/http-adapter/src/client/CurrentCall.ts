import { Context, Effect, Schema } from "effect"
import { HttpClient, HttpClientError, type HttpClientResponse } from "effect/http"
import { HttpApi, HttpApiClient, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"
import {
  AsOperator,
  Authenticated,
  Idempotent,
  InOnlyOrganization,
  InOrganization,
  WithDocsSession
} from "../api/middleware.ts"
import type { CallFailure, Client, Follow, Groups } from "./Client.ts"

/** Parts of a call that the contract defines. */
export interface Carries {
  readonly token: boolean
  readonly organization: boolean
  readonly idempotencyKey: boolean
}

const hasAny = (endpoint: HttpApiEndpoint.Top, middlewares: ReadonlyArray<{ readonly key: string }>) => {
  const behind = new Set(Array.from(endpoint.middlewares, ({ key }) => key))
  return middlewares.some(({ key }) => behind.has(key))
}

/** Reads from the contract what calls of the endpoint carry. */
const carriesOf = (endpoint: HttpApiEndpoint.Top): Carries => ({
  token: hasAny(endpoint, [AsOperator, Authenticated, InOrganization, InOnlyOrganization, WithDocsSession]),
  organization: hasAny(endpoint, [InOrganization, InOnlyOrganization]),
  idempotencyKey: hasAny(endpoint, [Idempotent])
})

/** The call that a request is sent for. */
export const CurrentCall = Context.Reference<Carries>("@parley/http-adapter/client/CurrentCall", {
  defaultValue: () => ({ token: false, organization: false, idempotencyKey: false })
})

/** The organization that calls act in, where it is not the client's own. */
export const ChosenOrganization = Context.Reference<string | null>("@parley/http-adapter/client/ChosenOrganization", {
  defaultValue: () => null
})

/** The idempotency key of a call, where it is not to be a new one. */
export const ChosenKey = Context.Reference<string | null>("@parley/http-adapter/client/ChosenKey", {
  defaultValue: () => null
})

/** Additional headers of a call, beyond the contract. */
export const ChosenHeaders = Context.Reference<Readonly<Record<string, string>>>(
  "@parley/http-adapter/client/ChosenHeaders",
  { defaultValue: () => ({}) }
)

/** Whether the body of a call can only be sent once. Such a call is not repeated. */
export const SentOnce = Context.Reference<boolean>("@parley/http-adapter/client/SentOnce", {
  defaultValue: () => false
})

/** Media type of a sent file, if it differs from the first type that the endpoint reads. */
export const ChosenMediaType = Context.Reference<string | null>("@parley/http-adapter/client/ChosenMediaType", {
  defaultValue: () => null
})

type Send = (request: object) => Effect.Effect<unknown, unknown>

type Area = Readonly<Record<string, Send>>

/** Builds the calls of an area once, with its first call. A program uses few areas of the contract. */
const builtOnce = (httpClient: HttpClient.HttpClient.With<CallFailure>) => {
  const built = new Map<string, Area>()
  return (identifier: Groups["identifier"]): Effect.Effect<Area> =>
    Effect.suspend(() => {
      const known = built.get(identifier)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(HttpApiClient.group(Api, { group: identifier, httpClient }), (derived) => {
        const area = derived as unknown as Area
        built.set(identifier, area)
        return area
      })
    })
}

/** The answer to a call; `null` until it arrives. */
interface CallAnswer {
  response: HttpClientResponse.HttpClientResponse | null
}

const CurrentAnswer = Context.Reference<CallAnswer>("@parley/http-adapter/client/CurrentAnswer", {
  defaultValue: () => ({ response: null })
})

const rememberAnswer = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(CurrentAnswer, (answer) => {
    answer.response = response
  })

/** Separates answers that do not fit the contract from requests that do not: a request fails with the `SchemaError`, before it is sent. */
const withAnswerErrors = (call: Effect.Effect<unknown, unknown>) =>
  Effect.suspend(() => {
    const answer: CallAnswer = { response: null }
    return call.pipe(
      Effect.mapError((error) => {
        const { response } = answer
        if (response === null || !Schema.isSchemaError(error)) return error
        const reason = new HttpClientError.DecodeError({ request: response.request, response, cause: error })
        return new HttpClientError.HttpClientError({ reason })
      }),
      Effect.provideService(CurrentAnswer, answer)
    )
  })

const noCall: Send = () => Effect.die(new Error("The contract has no such call."))

/** Adds common data to every call, and makes parts with only optional fields optional. */
export const callable = (httpClient: HttpClient.HttpClient.With<CallFailure>, follow: Follow): Client => {
  const areaOf = builtOnce(HttpClient.tap(httpClient, rememberAnswer))
  const areas: Record<string, Record<string, (request?: object) => Effect.Effect<unknown, unknown>>> = {}
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => {
      areas[group.identifier] = {}
    },
    onEndpoint: ({ endpoint, group }) => {
      const area = areas[group.identifier]
      if (area === undefined) return
      const carries = carriesOf(endpoint)
      area[endpoint.identifier] = (request) =>
        Effect.flatMap(areaOf(group.identifier as Groups["identifier"]), ({ [endpoint.identifier]: send = noCall }) =>
          withAnswerErrors(Effect.provideService(send({ query: {}, headers: {}, ...request }), CurrentCall, carries))
        )
    }
  })
  return { ...areas, events: { ...areas.events, follow } } as unknown as Client
}
