import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Assets } from "@parley/domain/kernel"
import { Effect, type FileSystem, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { ServerConfig } from "../ServerConfig.ts"
import { ApiDocument, readBundled } from "./ApiDocument.ts"
import { bundledBaseUrl } from "./openApi.ts"

type Encoding = "br" | "gzip"

/** Quality 5 takes about 30 ms for the document. The default takes seconds. */
const brotli = (bytes: Uint8Array) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

const compressors: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: brotli,
  gzip: promisify(gzip)
}

/** Chooses an encoding of an `Accept-Encoding` header. Null: none. */
export const encodingOf = (header = ""): Encoding | null => {
  const accepted = new Set(
    header
      .toLowerCase()
      .split(",")
      .map((part) => part.trim())
      .filter((part) => !/;\s*q=0(?:\.0*)?$/u.test(part))
      .map((part) => part.replace(/\s*;.*$/u, ""))
  )
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : null
}

const shared = { "cache-control": "public, max-age=60", vary: "Accept-Encoding" }

const answerOf = (bytes: Uint8Array, encoding: Encoding | null) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/json",
    headers: encoding === null ? shared : { ...shared, "content-encoding": encoding }
  })

/** Bytes of the document in an encoding. A bundle has them with brotli, for the default base URL. */
const encoded = Effect.fnUntraced(function* (bytes: Effect.Effect<Uint8Array>, encoding: Encoding) {
  const { baseUrl } = yield* ServerConfig
  const assets = yield* Assets
  if (assets !== null && baseUrl === bundledBaseUrl && encoding === "br") return yield* readBundled(assets)
  const plain = yield* bytes
  return yield* Effect.promise(() => compressors[encoding](plain))
})

/** Serves the contract as OpenAPI. */
export const layerOpenApi = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const document = yield* ApiDocument
    const context = yield* Effect.context<FileSystem.FileSystem | ServerConfig>()
    const bytes = yield* Effect.cached(
      Effect.map(document, (contract) => new TextEncoder().encode(JSON.stringify(contract)))
    )
    const make = (encoding: Encoding) =>
      Effect.cached(
        Effect.map(Effect.provideContext(encoded(bytes, encoding), context), (body) => answerOf(body, encoding))
      )
    const plain = yield* Effect.cached(Effect.map(bytes, (body) => answerOf(body, null)))
    const answers = { br: yield* make("br"), gzip: yield* make("gzip") }
    yield* router.add(
      "GET",
      "/openapi.json",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
        const encoding = encodingOf(headers["accept-encoding"])
        return encoding === null ? plain : answers[encoding]
      })
    )
  })
).pipe(Layer.provide([ApiDocument.layer, NodeFileSystem.layer]))
