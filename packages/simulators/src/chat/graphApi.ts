import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { reset, truncated } from "../connections.ts"
import { Refused, refuse } from "./checks.ts"
import { checkSubmission } from "./checkTemplate.ts"
import { type Refusal, refusal, refusalBody } from "./failures.ts"
import type { CallKind, Misbehaviour, Script } from "./Misbehaviour.ts"
import type { SimulatedNumber } from "./Options.ts"
import type { Simulation } from "./Simulation.ts"
import type { KeptFile, KeptTemplate, World } from "./World.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const megabyte = 1_048_576
const sizes: ReadonlyArray<readonly [type: RegExp, most: number]> = [
  [/^image\/webp$/u, megabyte / 2],
  [/^image\/(?:jpeg|png)$/u, 5 * megabyte],
  [/^(?:video\/(?:mp4|3gpp)|audio\/(?:aac|mp4|mpeg|amr|ogg|opus))/u, 16 * megabyte],
  [/^(?:text\/plain|application\/)/u, 100 * megabyte]
]

const json = (body: unknown, status = 200) => HttpServerResponse.jsonUnsafe(body, { status })
const answerOf = (result: object | Refusal): Response =>
  isRefusal(result) ? json(refusalBody(result), result.status) : json(result)
const isRefusal = (result: object): result is Refusal => "details" in result && "code" in result

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return refuse(100, "The request is not valid JSON.")
  }
}

const tokenOf = ({ headers }: Request): string => /^Bearer (\S+)$/u.exec(headers["authorization"] ?? "")?.[1] ?? ""

const recipientsIn = (payload: unknown): ReadonlyArray<string> =>
  typeof payload === "object" && payload !== null
    ? ["to", "recipient"].flatMap((key) => {
        const value: unknown = Reflect.get(payload, key)
        return typeof value === "string" ? [value, value.replace(/^\+/u, "")] : []
      })
    : []

/** The provider's own interface. */
export const makeGraphApi = (world: World, simulation: Simulation, script: Script) => {
  /** Executes a call, or the scripted fault instead. */
  const scripted = (
    request: Request,
    oddity: Misbehaviour["what"] | null,
    perform: (oddity: Misbehaviour["what"] | null) => object | Refusal
  ): Effect.Effect<Response> => {
    const answered = Effect.sync(() => answerOf(perform(oddity)))
    switch (oddity?.kind) {
      case "latency":
        return Effect.delay(answered, oddity.millis)
      case "error":
        return Effect.succeed(answerOf(refusal(oddity.code, oddity.details ?? "This was asked for.", oddity.status)))
      case "raw": {
        const { body, headers, status } = oddity
        const answer = Effect.succeed(HttpServerResponse.text(body, { status, headers: headers ?? {} }))
        return oddity.done === true ? Effect.andThen(answered, answer) : answer
      }
      case "late":
        return Effect.flatMap(answered, (answer) => Effect.delay(Effect.succeed(answer), oddity.millis))
      case "hang":
        return oddity.done === false ? Effect.never : Effect.andThen(answered, Effect.never)
      case "reset":
        return oddity.done === false ? reset(request) : Effect.andThen(answered, reset(request))
      case "truncate":
        return Effect.andThen(answered, truncated(request, '{"messaging_pr'))
      default:
        return answered
    }
  }

  const businessesOf = (request: Request): ReadonlySet<string> => {
    const businesses = world.tokens.get(tokenOf(request))
    if (businesses !== undefined) return businesses
    throw new Refused({
      ...refusal(190, "The access token could not be decrypted."),
      message: "Invalid OAuth access token"
    })
  }

  const unknownObject = (id: string): never => {
    throw new Refused({
      ...refusal(
        100,
        `Object with ID '${id}' does not exist, cannot be loaded due to missing permissions.`,
        undefined,
        33
      ),
      message: "Unsupported request"
    })
  }

  const numberOf = (request: Request, phoneId: string): SimulatedNumber => {
    const businesses = businessesOf(request)
    const number = world.numbers.get(phoneId)
    return number !== undefined && businesses.has(number.businessId) ? number : unknownObject(phoneId)
  }

  const businessOf = (request: Request, businessId: string): string =>
    businessesOf(request).has(businessId) ? businessId : unknownObject(businessId)

  const take = (call: CallKind, to: ReadonlyArray<string> = []) => script.take(call, to)

  const bodyOf = (request: Request) => Effect.map(Effect.orDie(request.text), parsed)

  const postMessage = Effect.fnUntraced(function* (request: Request, phoneId: string) {
    const number = numberOf(request, phoneId)
    const payload = yield* bodyOf(request)
    if (typeof payload === "object" && payload !== null && Reflect.get(payload, "status") === "read") {
      const id: unknown = Reflect.get(payload, "message_id")
      return yield* scripted(request, take("messages"), () =>
        typeof id === "string" && world.messageIds.has(id)
          ? { success: true }
          : refusal(131_009, "The message to mark does not exist.")
      )
    }
    const oddity = take("messages", recipientsIn(payload))
    simulation.noteCall(number, payload, oddity)
    return yield* scripted(request, oddity, (oddity) => simulation.send(number, payload, oddity))
  })

  const uploaded = (form: FormData): object | Refusal => {
    const file = form.get("file")
    const type = form.get("type")
    if (form.get("messaging_product") !== "whatsapp")
      return refusal(100, "The parameter messaging_product is required.")
    if (!(file instanceof File) || typeof type !== "string") return refusal(131_008, "The parameter file is required.")
    const most = sizes.find(([form]) => form.test(type))?.[1]
    if (most === undefined || file.type !== type) return refusal(131_053, `Unsupported media type ${file.type}.`)
    return file.size > most ? refusal(131_053, "The file is too large.") : { file, type }
  }

  const postMedia = Effect.fnUntraced(function* (request: Request, phoneId: string) {
    const number = numberOf(request, phoneId)
    const bytes = yield* Effect.orDie(request.arrayBuffer)
    const form = yield* Effect.tryPromise(() =>
      new Response(bytes, { headers: { "content-type": request.headers["content-type"] ?? "" } }).formData()
    ).pipe(Effect.orElseSucceed(() => new FormData()))
    const file = form.get("file")
    const content = file instanceof File ? yield* Effect.promise(() => file.arrayBuffer()) : new ArrayBuffer(0)
    return yield* scripted(request, take("media"), () => {
      const result = uploaded(form)
      if (isRefusal(result) || !(file instanceof File)) return result
      return { id: simulation.keepFile(number, new Uint8Array(content), file.type, file.name).id }
    })
  })

  const fileFor = (request: Request, id: string): KeptFile => {
    const businesses = businessesOf(request)
    const file = world.files.get(id)
    const owner = file === undefined ? undefined : world.numbers.get(file.phoneId)?.businessId
    return file !== undefined && owner !== undefined && businesses.has(owner) ? file : unknownObject(id)
  }

  const healthOf = (number: SimulatedNumber) => ({
    id: number.phoneId,
    display_phone_number: `+${number.displayPhone}`,
    verified_name: number.verifiedName ?? "Simulated",
    quality_rating: number.quality ?? "GREEN",
    throughput: { level: "STANDARD" },
    whatsapp_business_manager_messaging_limit: number.messagingLimit ?? "TIER_UNLIMITED",
    health_status: {
      can_send_message: "AVAILABLE",
      entities: [
        { entity_type: "PHONE_NUMBER", id: number.phoneId, can_send_message: "AVAILABLE" },
        { entity_type: "WABA", id: number.businessId, can_send_message: "AVAILABLE" }
      ]
    }
  })

  const getObject = (request: Request, id: string, origin: string) => {
    if (world.numbers.has(id)) {
      return scripted(request, take("health"), () => healthOf(numberOf(request, id)))
    }
    return scripted(request, take("media"), () => {
      const file = fileFor(request, id)
      return {
        messaging_product: "whatsapp",
        id,
        url: `${origin}/media-files/${id}`,
        mime_type: file.mimeType,
        sha256: file.sha256,
        file_size: file.bytes.length
      }
    })
  }

  const shown = (template: KeptTemplate) => ({
    id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    parameter_format: template.parameterFormat,
    components: template.components,
    status: template.status,
    rejected_reason: template.rejectedReason,
    quality_score: { score: template.quality }
  })

  const listTemplates = (businessId: string, query: URLSearchParams, origin: string): object => {
    const after = Number(query.get("after") ?? "0")
    const limit = Math.min(100, Number(query.get("limit") ?? "25"))
    const all = [...world.templates.values()].filter((template) => template.businessId === businessId)
    const page = all.slice(after, after + limit)
    const next = after + page.length
    return {
      data: page.map(shown),
      paging: {
        cursors: { before: String(after), after: String(next) },
        ...(next < all.length ? { next: `${origin}/${businessId}/message_templates?after=${next}` } : {})
      }
    }
  }

  const submit = (businessId: string, payload: unknown): object => {
    const checked = checkSubmission(payload)
    const key = JSON.stringify([businessId, checked.name, checked.language])
    if (world.templates.has(key)) {
      return refuse(100, `There is already ${checked.language} content for this template.`)
    }
    const { category, id, status } = simulation.keepTemplate({ businessId, ...checked })
    return { id, status, category }
  }

  const removeTemplates = (businessId: string, query: URLSearchParams): object => {
    const gone = [...world.templates].filter(
      ([, template]) =>
        template.businessId === businessId &&
        template.name === query.get("name") &&
        (query.get("hsm_id") === null || template.id === query.get("hsm_id"))
    )
    for (const [key] of gone) world.templates.delete(key)
    return gone.length === 0 ? refusal(100, "The template does not exist.") : { success: true }
  }

  const exchange = (query: URLSearchParams): object => {
    const code = query.get("code") ?? ""
    const token = world.signupCodes.get(code)
    if (query.get("client_id") !== world.app.appId || query.get("client_secret") !== world.app.appSecret) {
      return refusal(1, "Error validating client secret.", 400)
    }
    if (token === undefined) return refusal(100, "This authorization code has been used, or is not valid.")
    world.signupCodes.delete(code)
    return { access_token: token, token_type: "bearer" }
  }

  const route = Effect.fnUntraced(function* (request: Request, address: URL) {
    const [id = "", edge = "", ...more] = address.pathname
      .replace(/^\/v\d+\.\d+(?=\/)/u, "")
      .split("/")
      .slice(1)
      .map(decodeURIComponent)
    const origin = address.origin
    if (more.length > 0) return unknownObject(id)
    switch (`${request.method} ${id === "media-files" || id === "oauth" ? id : edge}`) {
      case "POST messages":
        return yield* postMessage(request, id)
      case "POST media":
        return yield* postMedia(request, id)
      case "GET media-files": {
        const file = fileFor(request, edge)
        return yield* Effect.map(
          scripted(request, take("media"), () => ({ fine: true })),
          (response) =>
            response.status === 200
              ? HttpServerResponse.uint8Array(file.bytes, { contentType: file.mimeType })
              : response
        )
      }
      case "GET oauth":
        return answerOf(exchange(address.searchParams))
      case "GET message_templates": {
        const businessId = businessOf(request, id)
        return yield* scripted(request, take("templates"), () =>
          listTemplates(businessId, address.searchParams, origin)
        )
      }
      case "POST message_templates": {
        const businessId = businessOf(request, id)
        const payload = yield* bodyOf(request)
        return yield* scripted(request, take("templates"), () => submit(businessId, payload))
      }
      case "DELETE message_templates": {
        const businessId = businessOf(request, id)
        return yield* scripted(request, take("templates"), () => removeTemplates(businessId, address.searchParams))
      }
      case "POST subscribed_apps":
        world.subscribed.add(businessOf(request, id))
        return json({ success: true })
      case "GET ":
        return yield* getObject(request, id, origin)
      default:
        return unknownObject(id)
    }
  })

  return (request: Request, address: URL): Effect.Effect<Response> =>
    Effect.catchDefect(route(request, address), (defect) =>
      defect instanceof Refused ? Effect.succeed(answerOf(defect.refusal)) : Effect.die(defect)
    )
}
