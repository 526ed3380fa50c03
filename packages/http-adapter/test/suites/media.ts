import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { as, idOf, ours } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { deliver, givenFile, givenNumber, provider, written } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, freshText, givenTenant, type Tenant } from "../harness/tenants.ts"

const upload = (
  tenant: Tenant,
  text: string,
  type = "text/plain",
  { headers = {}, query = "" }: { readonly headers?: Record<string, string>; readonly query?: string } = {}
) => call("POST", `/api/v1/media${query}`, { ...ours(tenant), text, headers: { "content-type": type, ...headers } })

const download = (tenant: Tenant, id: string) => call("GET", `/api/v1/media/${id}`, ours(tenant))

/** Files that are sent, and files that came in. */
export const mediaSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a file is uploaded as it is and downloaded as it was, to be saved and not to be shown", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const said = yield* upload(tenant, "Rye bread: 4.20", "Text/Plain; charset=utf-8", {
          query: `?filename=${encodeURIComponent('../Preise "neu" für März.txt')}`
        })
        assertStatus(said, 201)
        assert.deepStrictEqual(said.body, {
          id: idOf(said),
          kind: "document",
          mimeType: "text/plain",
          filename: "Preise _neu_ für März.txt",
          size: 15,
          createdAt: textAt(said, "createdAt")
        })
        const file = yield* download(tenant, idOf(said))
        assertStatus(file, 200)
        assert.strictEqual(file.text, "Rye bread: 4.20")
        assert.strictEqual(file.headers.get("content-type"), "text/plain")
        assert.strictEqual(file.headers.get("content-length"), "15")
        assert.strictEqual(file.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(file.headers.get("cache-control"), "no-store")
        assert.strictEqual(
          file.headers.get("content-disposition"),
          `attachment; filename="Preise _neu_ f_r M_rz.txt"; filename*=UTF-8''Preise%20_neu_%20f%C3%BCr%20M%C3%A4rz.txt`
        )
        assert.include(file.headers.get("content-security-policy") ?? "", "default-src 'none'")
      })
    )

    it.effect("a file of a type that cannot be sent is refused, with the types that can", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const type of ["text/html", "image/svg+xml", "application/x-msdownload", "*/*", ""]) {
          const answer = yield* upload(tenant, "<svg/>", type)
          assertProblem(answer, 415, "unsupported_media_type")
          assert.include(answer.body.accepted, "image/png")
          assert.notInclude(answer.body.accepted, "text/html")
        }
      })
    )

    it.effect("a file that is larger than its kind may be is refused", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const sticker = (bytes: number) => `RIFF0000WEBPVP8 ${"x".repeat(bytes - 16)}`
        const answer = yield* upload(tenant, sticker(500 * 1024 + 1), "image/webp")
        assertProblem(answer, 413, "payload_too_large")
        assert.strictEqual(answer.body.max, 500 * 1024)
        assertStatus(yield* upload(tenant, sticker(500 * 1024), "image/webp"), 201)
      })
    )

    it.effect("a file that is not what it says is refused", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const [text, type] of [
          ["Rye bread", "image/png"],
          ["", "text/plain"],
          ["<!doctype html><script>alert(1)</script>", "text/plain"]
        ] as const) {
          const answer = yield* upload(tenant, text, type)
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [""])
        }
      })
    )

    it.effect("a key stands for the whole file", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const headers = { "idempotency-key": yield* freshText("file") }
        const first = yield* upload(tenant, "Rye bread: 4.20", "text/plain", { headers })
        const again = yield* upload(tenant, "Rye bread: 4.20", "text/plain", { headers })
        assert.strictEqual(again.text, first.text)
        assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
        const other = yield* upload(tenant, "Rye bread: 4.30", "text/plain", { headers })
        assertProblem(other, 422, "idempotency_key_reused")
        assertStatus(yield* download(tenant, idOf(first)), 200)
      })
    )

    it.effect("what a contact has sent is fetched from the provider when it is asked for, and kept", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* givenNumber(tenant.organization)
        const script = yield* provider
        const mediaId = yield* script.addFile(new TextEncoder().encode("%PDF-1.7 A cake."), "application/pdf")
        const came = (id: string) =>
          Effect.map(written(account, ""), (event) => ({
            ...event,
            content: {
              kind: "document" as const,
              media: {
                mediaId: id,
                mimeType: "application/pdf",
                sha256: null,
                caption: "Can you?",
                filename: "cake.pdf"
              }
            }
          }))
        assertStatus(yield* deliver(tenant.organization, account, [yield* came(mediaId)]), 200)
        const [conversation] = idsOf(yield* as(tenant)("GET", "/conversations"))
        const path = `/conversations/${conversation}/messages`
        const [message] = rowsOf(yield* as(tenant)("GET", path))
        assert.deepStrictEqual([at(message, "kind"), at(message, "text")], ["document", "Can you?"])
        const id = String(at(message, "media", "id"))
        for (let count = 0; count < 2; count++) {
          const file = yield* download(tenant, id)
          assertStatus(file, 200)
          assert.strictEqual(file.text, "%PDF-1.7 A cake.")
          assert.strictEqual(file.headers.get("content-type"), "application/pdf")
          assert.include(file.headers.get("content-disposition") ?? "", 'filename="cake.pdf"')
        }
        yield* deliver(tenant.organization, account, [yield* came("gone")])
        const [lost] = rowsOf(yield* as(tenant)("GET", path))
        assertProblem(yield* download(tenant, String(at(lost, "media", "id"))), 502, "media_unavailable")
      })
    )

    it.effect("a file of another organization, or of none, is not found", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const { id } = yield* givenFile(other.organization)
        assertProblem(yield* download(tenant, id), 404, "not_found")
        assertProblem(yield* download(tenant, yield* freshId), 404, "not_found")
        assertStatus(yield* download(other, id), 200)
      })
    )
  })
