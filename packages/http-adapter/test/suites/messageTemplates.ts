import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { added, as, idOf } from "../harness/crm.ts"
import { givenNumber, givenSubmitted, givenTemplate, provider } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, freshText, givenTenant } from "../harness/tenants.ts"

const components = {
  header: { format: "text", text: "Order {{1}}", examples: { "1": "1867" } },
  body: { text: "Hello {{1}}, your order is ready.", examples: { "1": "Marie" } },
  buttons: [{ type: "url", text: "See it", url: "https://shop.test/orders/{{1}}", example: "1867" }]
}

const freshName = Effect.map(freshText("order"), (text) => text.replaceAll("-", "_"))

/** Messages that the provider approves. */
export const messageTemplatesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a template is a draft, is changed, submitted, approved and deleted", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const input = { chatAccountId, name: yield* freshName, language: "en", category: "utility", components }
        const created = yield* added(tenant, "/message_templates", input)
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          ...input,
          id: idOf(created),
          variables: [
            { key: "header.1", in: "header", kind: "text" },
            { key: "body.1", in: "body", kind: "text" },
            { key: "buttons.0", in: "buttons", kind: "url_suffix" }
          ],
          status: "draft",
          statusReason: null,
          statusUntil: null,
          rejectionReason: null,
          rejectionAdvice: null,
          quality: "unknown",
          qualityAt: null,
          announcedCategory: null,
          categoryChangesAt: null,
          timeToLive: null,
          libraryName: null,
          editTimes: [],
          externalId: null,
          createdAt: now,
          updatedAt: now,
          version: 1
        })
        const path = `/message_templates/${idOf(created)}`
        assert.deepStrictEqual((yield* send("GET", path)).body, created.body)
        const twin = yield* send("POST", "/message_templates", input)
        assertProblem(twin, 409, "message_template_exists")
        assert.strictEqual(twin.body.messageTemplateId, idOf(created))
        assertStatus(yield* send("POST", "/message_templates", { ...input, language: "de" }), 201)

        const changed = yield* send("PATCH", path, { category: "marketing" }, { "if-match": "1" })
        assert.deepStrictEqual([changed.status, changed.body.category, changed.body.version], [200, "marketing", 2])
        const submitted = yield* send("POST", `${path}/submit`)
        assertStatus(submitted, 200)
        assert.strictEqual(submitted.body.status, "pending")
        assert.isString(submitted.body.externalId)
        for (const late of [
          yield* send("PATCH", path, { category: "utility" }),
          yield* send("POST", `${path}/submit`)
        ]) {
          assertProblem(late, 409, "message_template_status_invalid")
          assert.deepStrictEqual([late.body.templateStatus, late.body.allowed], ["pending", ["draft", "rejected"]])
        }

        yield* (yield* provider).decide(input.name, "en", "approved")
        const synced = yield* send("POST", "/message_templates/sync", { chatAccountId })
        assertStatus(synced, 200)
        assert.strictEqual(synced.body.updated, 1)
        assert.strictEqual((yield* send("GET", path)).body.status, "approved")
        assertStatus(yield* send("DELETE", path), 204)
        assertProblem(yield* send("GET", path), 404, "not_found")
      })
    )

    it.effect("a preview is what the customer would see, and refuses what sending would", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const input = { chatAccountId, name: yield* freshName, language: "en", category: "utility", components }
        const path = `/message_templates/${idOf(yield* added(tenant, "/message_templates", input))}/preview`
        const seen = yield* as(tenant)("POST", path, {
          values: { "header.1": "1867", "body.1": "Marie", "buttons.0": "1867" }
        })
        assertStatus(seen, 200)
        assert.deepStrictEqual(seen.body, {
          header: "Order 1867",
          body: "Hello Marie, your order is ready.",
          footer: null,
          buttons: [{ type: "url", text: "See it", value: "https://shop.test/orders/1867" }]
        })
        const partly = yield* as(tenant)("POST", path, { values: { "body.1": "Marie" } })
        assertProblem(partly, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(partly), ["/values/buttons.0", "/values/header.1"])
        const faulty = yield* as(tenant)("POST", path, { values: { "body.1": "" } })
        assertProblem(faulty, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(faulty), ["/values/body.1"])
      })
    )

    it.effect("a preview without values shows the examples, also of content that is not stored", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const input = { chatAccountId, name: yield* freshName, language: "en", category: "utility", components }
        const path = `/message_templates/${idOf(yield* added(tenant, "/message_templates", input))}/preview`
        const shown = {
          header: "Order 1867",
          body: "Hello Marie, your order is ready.",
          footer: null,
          buttons: [{ type: "url", text: "See it", value: "https://shop.test/orders/1867" }]
        }
        assert.deepStrictEqual((yield* as(tenant)("POST", path, {})).body, shown)
        const preview = (body: object) => as(tenant)("POST", "/message_templates/preview", body)
        assert.deepStrictEqual((yield* preview({ category: "utility", components })).body, shown)
        const filled = yield* preview({
          category: "utility",
          components,
          values: { "header.1": "2", "body.1": "Ada", "buttons.0": "2" }
        })
        assert.deepStrictEqual([filled.body.header, filled.body.body], ["Order 2", "Hello Ada, your order is ready."])
        const faulty = yield* preview({
          category: "utility",
          components: { ...components, footer: { text: "{{1}}" } },
          values: { "body.1": "Ada", "body.2": "x" }
        })
        assertProblem(faulty, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(faulty), [
          "/components/footer/text",
          "/values/body.2",
          "/values/buttons.0",
          "/values/header.1"
        ])
      })
    )

    it.effect.each([
      { faulty: { body: { text: "" } }, pointer: "/components/body/text" },
      { faulty: { body: { text: "Hello {{1}}!" } }, pointer: "/components/body/examples" },
      {
        faulty: { body: { text: "Hello {{2}}!", examples: { "2": "x" } } },
        pointer: "/components/body/text"
      },
      { faulty: { body: { text: "Hello." }, buttons: [] }, pointer: "/components/buttons" },
      { faulty: { body: { text: "Hello." }, footer: { text: "x".repeat(61) } }, pointer: "/components/footer/text" }
    ])("$faulty are no components", ({ faulty, pointer }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const input = { chatAccountId, name: "order_ready", language: "en", category: "utility" }
        const answer = yield* as(tenant)("POST", "/message_templates", { ...input, components: faulty })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), [pointer])
      })
    )

    it.effect("one answer has all issues of a template: lengths, rules of texts, and missing files", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const mediaId = yield* freshId
        const faulty = (footer: string) =>
          as(tenant)("POST", "/message_templates", {
            chatAccountId,
            name: "order_ready",
            language: "en",
            category: "utility",
            components: {
              header: { format: "image", mediaId },
              body: { text: "Hello {{1}}, your order is ready." },
              footer: { text: footer },
              buttons: [{ type: "flow", text: "Book" }]
            }
          })
        const long = yield* faulty("x".repeat(61))
        assertProblem(long, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(long), [
          "/components/body/examples",
          "/components/buttons/0/flowId",
          "/components/footer/text"
        ])
        const short = yield* faulty("Acme")
        assertProblem(short, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(short), [
          "/components/body/examples",
          "/components/buttons/0/flowId",
          "/components/header/mediaId"
        ])
      })
    )

    it.effect("are listed by name, of one account, in one status, by how the name begins", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const b = yield* givenTemplate(tenant.organization, { chatAccountId, name: "b_1", status: "approved" })
        const a = yield* givenTemplate(tenant.organization, { chatAccountId, name: "a_1" })
        const other = yield* givenTemplate(tenant.organization, { name: "a_2" })
        const ids = (query: string) => Effect.map(as(tenant)("GET", `/message_templates${query}`), idsOf)
        assert.deepStrictEqual(yield* ids(""), [a.id, other.id, b.id])
        assert.deepStrictEqual(yield* ids(`?chatAccountId=${chatAccountId}`), [a.id, b.id])
        assert.deepStrictEqual(yield* ids("?status=approved"), [b.id])
        assert.deepStrictEqual(yield* ids("?name=a_"), [a.id, other.id])
        const missing = yield* as(tenant)("GET", `/message_templates?chatAccountId=${yield* freshId}`)
        assertProblem(missing, 404, "not_found")
        assert.strictEqual(missing.body.pointer, "/query/chatAccountId")
      })
    )

    it.effect("an approved template is edited once a day, and the answer says when again", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenSubmitted(tenant.organization)
        const edit = (text: string) =>
          as(tenant)("POST", `/message_templates/${id}/edit`, { components: { body: { text } } })
        const first = yield* edit("Your order is here.")
        assertStatus(first, 200)
        assert.deepStrictEqual(
          [first.body.status, at(first.body, "components", "body", "text")],
          ["approved", "Your order is here."]
        )
        const second = yield* edit("Your order is there.")
        assertProblem(second, 409, "message_template_edit_limited")
        assert.isString(second.body.retryAt)
        const category = yield* as(tenant)("POST", `/message_templates/${id}/edit`, { category: "marketing" })
        assertProblem(category, 400, "validation_failed")
      })
    )

    it.effect("a pause by pacing is ended", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenSubmitted(tenant.organization, "paused")
        const unpaused = yield* as(tenant)("POST", `/message_templates/${id}/unpause`)
        assert.deepStrictEqual([unpaused.status, unpaused.body.status], [200, "approved"])
        assertProblem(
          yield* as(tenant)("POST", `/message_templates/${id}/unpause`),
          409,
          "message_template_status_invalid"
        )
      })
    )

    it.effect("an archived template is not sent, and returns to use", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenSubmitted(tenant.organization)
        const call = (action: string) => as(tenant)("POST", `/message_templates/${id}/${action}`)
        assertProblem(yield* call("unarchive"), 409, "message_template_status_invalid")
        const archived = yield* call("archive")
        assert.deepStrictEqual([archived.status, archived.body.status], [200, "archived"])
        assertProblem(yield* call("archive"), 409, "message_template_status_invalid")
        const unarchived = yield* call("unarchive")
        assert.deepStrictEqual([unarchived.status, unarchived.body.status], [200, "approved"])
      })
    )

    it.effect("authentication templates are created and replaced in several languages", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const name = yield* freshName
        const authentication = { transfer: "copy_code", expiryMinutes: 5 }
        const upsert = (fields: object) =>
          as(tenant)("POST", "/message_templates/authentication", {
            chatAccountId,
            name,
            languages: ["en_US", "de"],
            authentication,
            ...fields
          })
        const created = yield* upsert({})
        assertStatus(created, 200)
        assert.deepStrictEqual(
          rowsOf(created).map((row) => [at(row, "language"), at(row, "status"), at(row, "components")]),
          ["en-US", "de"].map((language) => [language, "pending", { authentication }])
        )
        assert.deepStrictEqual(idsOf(yield* upsert({ authentication: { transfer: "copy_code" } })), idsOf(created))
        const pointers = Effect.fnUntraced(function* (fields: object) {
          const refused = yield* upsert(fields)
          assertProblem(refused, 400, "validation_failed")
          return pointersOf(refused)
        })
        assert.deepStrictEqual(
          [
            yield* pointers({ languages: [] }),
            yield* pointers({ languages: ["en_US", "en-US"] }),
            yield* pointers({ authentication: { transfer: "copy_code", copyText: "Copy" } }),
            yield* pointers({ authentication: { transfer: "one_tap" } })
          ],
          [["/languages"], ["/languages"], ["/authentication/copyText"], ["/authentication/apps"]]
        )
        const other = yield* givenTemplate(tenant.organization, { chatAccountId, language: "de" })
        const exists = yield* upsert({ name: other.name })
        assertProblem(exists, 409, "message_template_exists")
        assert.strictEqual(exists.body.messageTemplateId, other.id)
      })
    )

    it.effect("a template is created from the library, with the language in either spelling", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const library = yield* as(tenant)(
          "GET",
          `/message_templates/library?chatAccountId=${chatAccountId}&search=order`
        )
        const [found] = rowsOf(library)
        const name = yield* freshName
        const created = yield* as(tenant)("POST", "/message_templates/from_library", {
          chatAccountId,
          libraryName: at(found, "name"),
          name,
          language: "en_US",
          category: "utility"
        })
        assertStatus(created, 201)
        assert.deepStrictEqual(
          [created.body.status, created.body.language, created.body.libraryName],
          ["approved", "en-US", "delivery_update_1"]
        )
      })
    )

    it.effect("templates of the provider are fetched, and removed ones are not sent any more", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const script = yield* provider
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const gone = yield* givenTemplate(tenant.organization, {
          chatAccountId,
          status: "approved",
          externalId: yield* freshText("template")
        })
        const made = yield* freshName
        yield* script.keepTemplate({
          externalId: yield* freshText("template"),
          name: made,
          language: "en",
          category: "utility",
          components: { body: { text: "Made over there." } },
          status: "approved",
          rejectionReason: null,
          quality: "green",
          qualityAt: null,
          announcedCategory: null,
          timeToLive: null,
          libraryName: null
        })
        const synced = yield* as(tenant)("POST", "/message_templates/sync", { chatAccountId })
        assertStatus(synced, 200)
        assert.strictEqual(synced.body.missing, 1)
        assert.strictEqual((yield* as(tenant)("GET", `/message_templates/${gone.id}`)).body.status, "disabled")
        const [row] = rowsOf(yield* as(tenant)("GET", `/message_templates?name=${made}`))
        assert.deepStrictEqual([at(row, "status"), at(row, "quality")], ["approved", "green"])
      })
    )
  })
