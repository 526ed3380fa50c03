import { assert } from "@effect/vitest"
import type { ChatAccount } from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { as, idOf, ours } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { deliver, givenFile, givenNumber, provider, written } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, freshText, givenPerson, givenTenant, type Tenant } from "../harness/tenants.ts"

const upload = (
  tenant: Tenant,
  text: string,
  type = "text/plain",
  { headers = {}, query = "" }: { readonly headers?: Record<string, string>; readonly query?: string } = {}
) => call("POST", `/api/v1/media${query}`, { ...ours(tenant), text, headers: { "content-type": type, ...headers } })

const sandboxed = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** A document from a contact, as the provider reports it. */
const documentFrom = Effect.fnUntraced(function* (
  account: Pick<ChatAccount, "externalPhoneId">,
  mediaId: string,
  overrides: { readonly mimeType?: string; readonly filename?: string | null } = {}
) {
  const media = { mediaId, mimeType: "application/pdf", sha256: null, caption: "Can you?", filename: "cake.pdf" }
  return { ...(yield* written(account, "")), content: { kind: "document", media: { ...media, ...overrides } } } as const
})

const download = (tenant: Tenant, id: string) => call("GET", `/api/v1/media/${id}`, ours(tenant))

/** Files that are sent, and files that came in. */
export const mediaSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a file is uploaded as it is and downloaded as it was, to be saved and not to be shown", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const input = yield* upload(tenant, "Rye bread: 4.20", "Text/Plain; charset=utf-8", {
          query: `?filename=${encodeURIComponent('../Preise "neu" für März.txt')}`
        })
        assertStatus(input, 201)
        assert.deepStrictEqual(input.body, {
          id: idOf(input),
          kind: "document",
          mimeType: "text/plain",
          filename: "Preise _neu_ für März.txt",
          size: 15,
          createdAt: textAt(input, "createdAt")
        })
        const file = yield* download(tenant, idOf(input))
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
        assert.strictEqual(file.headers.get("content-security-policy"), sandboxed)
        assert.strictEqual(file.headers.get("cross-origin-resource-policy"), "same-origin")
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
        const sticker = (form: string, bytes: number) => `RIFF0000WEBP${form}${"x".repeat(bytes - 12 - form.length)}`
        for (const [form, most] of [
          ["VP8X0000\u0002", 500 * 1024],
          ["VP8 ", 100 * 1024]
        ] as const) {
          const answer = yield* upload(tenant, sticker(form, most + 1), "image/webp")
          assertProblem(answer, 413, "payload_too_large")
          assert.strictEqual(answer.body.max, most)
          assertStatus(yield* upload(tenant, sticker(form, most), "image/webp"), 201)
        }
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

    it.effect("an idempotency key covers the whole file", () =>
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
        assertStatus(yield* deliver(tenant.organization, account, [yield* documentFrom(account, mediaId)]), 200)
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
      })
    )

    it.effect("what the provider does not hand out any more is lost", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* givenNumber(tenant.organization)
        yield* deliver(tenant.organization, account, [yield* documentFrom(account, "gone")])
        const [conversation] = idsOf(yield* as(tenant)("GET", "/conversations"))
        const path = `/conversations/${conversation}/messages`
        const [message] = rowsOf(yield* as(tenant)("GET", path))
        const id = String(at(message, "media", "id"))
        assertProblem(yield* download(tenant, id), 502, "media_unavailable")
        yield* TestClock.adjust("1 hour")
        const later = { organization: tenant.organization, owner: yield* givenPerson(tenant.organization, "owner") }
        for (let count = 0; count < 2; count++) assertProblem(yield* download(later, id), 410, "media_gone")
      })
    )

    it.effect("a browser only saves a contact's file under a plain name, for every claimed type", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* givenNumber(tenant.organization)
        const script = yield* provider
        const page = "<!doctype html><script>alert(document.domain)</script>"
        const hostile = [
          { mimeType: "text/html", filename: "page.html", type: "application/octet-stream", name: "page.html" },
          { mimeType: "image/svg+xml", filename: "a.svg", type: "application/octet-stream", name: "a.svg" },
          { mimeType: "text/html;image/png", filename: null, type: "application/octet-stream", name: null },
          { mimeType: "application/xhtml+xml", filename: "..", type: "application/octet-stream", name: null },
          { mimeType: "text/javascript", filename: "../../x.js", type: "application/octet-stream", name: "x.js" },
          { mimeType: "constructor", filename: "C:\\x\\y.exe", type: "application/octet-stream", name: "y.exe" },
          { mimeType: "text/plain, text/html", filename: "a", type: "application/octet-stream", name: "a" },
          { mimeType: "", filename: "a\r\nX-Evil: 1", type: "application/octet-stream", name: "aX-Evil_ 1" },
          { mimeType: "image/png\r\nX-Evil: 1", filename: "a.png", type: "application/octet-stream", name: "a.png" },
          { mimeType: 'Text/Plain; x="日本"', filename: 'a";b=.txt', type: "text/plain", name: "a_;b=.txt" },
          {
            mimeType: "application/pdf;<script>",
            filename: "a\u202efdp.exe",
            type: "application/pdf",
            name: "afdp.exe"
          }
        ]
        for (const { filename, mimeType, name, type } of hostile) {
          const mediaId = yield* script.addFile(new TextEncoder().encode(page), mimeType)
          const came = yield* documentFrom(account, mediaId, { mimeType, filename })
          yield* deliver(tenant.organization, account, [came])
          const [conversation] = idsOf(yield* as(tenant)("GET", "/conversations"))
          const rows = rowsOf(yield* as(tenant)("GET", `/conversations/${conversation}/messages?limit=1`))
          const id = String(at(rows[0], "media", "id"))
          const file = yield* download(tenant, id)
          assertStatus(file, 200)
          assert.strictEqual(file.text, page)
          assert.strictEqual(file.headers.get("content-type"), type, mimeType)
          assert.strictEqual(file.headers.get("x-content-type-options"), "nosniff")
          assert.strictEqual(file.headers.get("content-security-policy"), sandboxed)
          assert.isNull(file.headers.get("x-evil"))
          const disposition = file.headers.get("content-disposition") ?? ""
          assert.isTrue(disposition.startsWith(`attachment; filename="${name ?? id}";`), disposition)
        }
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
