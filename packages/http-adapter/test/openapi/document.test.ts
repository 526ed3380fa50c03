import { assert, describe, it } from "@effect/vitest"
import { contactFilterOperators } from "@parley/domain/composition"
import { Context, Predicate, Schema, SchemaAST } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { documentPath, ReadsAnyType } from "../../src/api/describe.ts"
import { problemCode, Problems } from "../../src/api/index.ts"
import {
  AsOperator,
  Idempotent,
  InOnlyOrganization,
  InOrganization,
  RequestFaults,
  WithDocsSession
} from "../../src/api/middleware.ts"
import { declarationOf } from "../harness/declarations.ts"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { problemJson } from "../../src/api/problem.ts"
import { at, codesOf, described, document, entriesAt, itemsAt, leftOut, segmentsOf, text } from "./document.ts"

const problems = new Map(Object.entries(Problems.problems).map(([tag, schema]) => [problemCode(tag), schema]))

const read = (schema: Schema.Top, value: unknown) =>
  Schema.decodeUnknownSync(schema as Schema.Codec<unknown>, { errors: "all", onExcessProperty: "error" })(value)

const pointersIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(pointersIn)
  if (!Predicate.isObject(value)) return []
  const inner = Object.values(value).flatMap(pointersIn)
  return typeof value.$ref === "string" ? [value.$ref, ...inner] : inner
}

const headersOf = (operation: unknown) =>
  itemsAt(operation, "parameters").flatMap((parameter) =>
    at(parameter, "in") === "header" ? [[String(at(parameter, "name")), at(parameter, "required")] as const] : []
  )

/** The names of the headers that an endpoint reads directly. */
const namesIn = (headers: Schema.Top) => {
  const { properties } = Schema.toJsonSchemaDocument(headers).schema
  return Predicate.isObject(properties) ? Object.keys(properties) : []
}

const isFailure = ([status]: readonly [string, unknown]) => !status.startsWith("2")

describe("the OpenAPI document", () => {
  it("says the same every time", () => {
    assert.strictEqual(JSON.stringify(openApi("https://api.parley.test")), text)
  })

  it("describes every endpoint of the contract, and nothing else", () => {
    const paths = entriesAt(document, "paths").flatMap(([path]) =>
      entriesAt(document, "paths", path).map(([method]) => `${method.toUpperCase()} ${path}`)
    )
    const contract = described.map(({ endpoint }) => `${endpoint.method} ${documentPath(endpoint.path)}`)
    assert.deepStrictEqual(paths.toSorted(), contract.toSorted())
  })

  it("names each id in a path after its resource, except in paths of the interface specification", () => {
    const paths = entriesAt(document, "paths").map(([path]) => path)
    assert.deepStrictEqual(paths.filter((path) => path.includes("{id}")).toSorted(), [
      "/api/v1/broadcasts/{id}/cancel",
      "/api/v1/conversations/{id}/commerce"
    ])
    for (const path of [
      "/api/v1/contacts/{contactId}",
      "/api/v1/message_templates/{messageTemplateId}/submit",
      "/api/v1/privacy_requests/{privacyRequestId}",
      "/api/v1/conversations/{conversationId}/notes/{noteId}"
    ]) {
      assert.include(paths, path)
    }
  })

  it("leaves out only aliases under the prefix, and describes them", () => {
    const result = described.flatMap(({ endpoint, operation }) =>
      Array.from(
        String(at(operation, "description")).matchAll(/The same endpoint is also available at `([^`]+)`/g),
        ([, path]) => {
          assert.strictEqual(path, `/api/v1${documentPath(endpoint.path)}`)
          return `${endpoint.method} ${path}`
        }
      )
    )
    // Wildcards accept any other path below a described one.
    const aliases = leftOut.filter((each) => !each.endsWith("/*"))
    assert.deepStrictEqual(aliases.toSorted(), result.toSorted())
    assert.lengthOf(aliases, 6)
  })

  it("names every call by a verb in camel case, once", () => {
    const names = described.map(({ operation }) => String(at(operation, "operationId")))
    for (const name of names) assert.match(name, /^[a-z]+(?:[A-Z][a-z]+)*$/)
    assert.strictEqual(new Set(names).size, names.length)
  })

  it("has patterns that mean the same with the flag for Unicode and without it, as linters compile them", () => {
    const patterns = [...new Set([...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/gu)].map(([, each]) => String(each)))]
    assert.isAtLeast(patterns.length, 10)
    const samples = ["Ada Lovelace", "a@b.example", "two\nlines", " x", "\u0000", "Zoë 🥐", "p{Cc}", "\u0085", ""]
    for (const pattern of patterns.map((each): unknown => JSON.parse(each))) {
      assert.notMatch(String(pattern), /\\p/iu)
      const [plain, unicode] = [new RegExp(String(pattern)), new RegExp(String(pattern), "u")]
      for (const sample of samples) assert.strictEqual(plain.test(sample), unicode.test(sample), String(pattern))
    }
  })

  it("gives every call a summary, a description and an area that is described", () => {
    const tags = new Set(
      itemsAt(document, "tags").map((tag) => (at(tag, "description") === undefined ? null : at(tag, "name")))
    )
    for (const { operation } of described) {
      assert.isString(at(operation, "summary"))
      assert.isString(at(operation, "description"))
      assert.isTrue(itemsAt(operation, "tags").every((tag) => tags.has(tag)))
      assert.lengthOf(itemsAt(operation, "tags"), 1)
    }
  })

  it("says of every parameter what it is", () => {
    for (const { operation } of described) {
      for (const parameter of itemsAt(operation, "parameters")) {
        assert.isString(at(parameter, "description"), JSON.stringify(parameter))
        const either = itemsAt(parameter, "schema", "anyOf")
        for (const schema of either.length > 0 ? either : [at(parameter, "schema")]) {
          assert.isString(at(schema, "type"), JSON.stringify(parameter))
        }
      }
    }
  })

  it("says of filters which fields they have, of all areas, and how those compare", () => {
    const [field, op] = ["field", "op"].map((name) =>
      String(at(document, "components", "schemas", "ContactFilter", "properties", name, "description"))
    )
    for (const [name, operators] of Object.entries(contactFilterOperators)) {
      assert.include(field, name)
      const line = op?.split("\n").find((each) => each.includes(`\`${name}\``))
      assert.strictEqual(line?.split(": ")[1], operators.map((each) => `\`${each}\``).join(", "), name)
    }
  })

  it("follows every pointer, and has no part that nothing points to", () => {
    const pointers = new Set(pointersIn(document))
    for (const $ref of pointers) assert.isDefined(at(document, ...segmentsOf($ref)), $ref)
    for (const [kind] of entriesAt(document, "components")) {
      if (kind === "securitySchemes") continue
      for (const [name] of entriesAt(document, "components", kind)) {
        assert.isTrue(pointers.has(`#/components/${kind}/${name}`), `${kind}/${name}`)
      }
    }
  })

  it("says which token a call needs, and that public calls need none", () => {
    const schemes = new Set(entriesAt(document, "components", "securitySchemes").map(([name]) => name))
    for (const { behind, operation } of described) {
      const names = itemsAt(operation, "security").flatMap((requirement) =>
        entriesAt(requirement).map(([name]) => name)
      )
      const isOpen = codesOf(at(operation, "responses", "401")).every((code) => code !== "unauthenticated")
      const other = behind.has(WithDocsSession.key) ? "docsBearer" : null
      const scheme = behind.has(AsOperator.key) ? "operatorBearer" : (other ?? "bearer")
      assert.deepStrictEqual(names, isOpen ? [] : [scheme])
      assert.isTrue(names.every((name) => schemes.has(name)))
    }
  })

  it("names the headers that calls take", () => {
    for (const { behind, endpoint, operation } of described) {
      const headers = new Map(headersOf(operation))
      const organization = behind.has(InOrganization.key)
        ? true
        : behind.has(InOnlyOrganization.key)
          ? false
          : undefined
      assert.strictEqual(headers.get("X-Organization-Id"), organization)
      assert.strictEqual(headers.get("Idempotency-Key"), behind.has(Idempotent.key) ? false : undefined)
      assert.strictEqual(headers.get("X-Request-Id"), false)
      const own = endpoint.headers === undefined ? [] : namesIn(endpoint.headers)
      for (const name of ["If-Match", "Last-Event-ID"]) {
        assert.strictEqual(headers.get(name), own.includes(name.toLowerCase()) ? false : undefined)
      }
    }
  })

  it("declares every error of every endpoint, with its status, and only where it can occur", () => {
    for (const { behind, endpoint, operation } of described) {
      const responses = entriesAt(operation, "responses").filter(isFailure)
      const written = responses.flatMap(([status, answer]) => codesOf(answer).map((code) => `${status} ${code}`))
      const own = Array.from(endpoint.error, ({ ast }) => problemCode(SchemaAST.resolveIdentifier(ast) ?? ""))
      for (const code of own)
        assert.isTrue(
          written.some((line) => line.endsWith(` ${code}`)),
          code
        )
      for (const [status, answer] of responses) {
        for (const code of codesOf(answer)) {
          const schema = problems.get(code)
          if (schema === undefined) return assert.fail(`${code} is no problem of ours`)
          assert.strictEqual(String(at(exampleOf(code), "status")), status)
        }
      }
      const isRead = endpoint.method === "GET"
      assert.strictEqual(written.includes("413 payload_too_large"), !isRead && behind.has(RequestFaults.key))
      const isOfOneType = endpoint.payload.size > 0 && !Context.get(endpoint.annotations, ReadsAnyType)
      assert.strictEqual(written.includes("415 unsupported_media_type"), isOfOneType)
      assert.isTrue(written.includes("500 internal_error"))
    }
  })

  it("declares for every endpoint the answers to unreadable requests and to database failures", () => {
    const everywhere = [
      ["400", "request_malformed"],
      ["408", "request_timeout"],
      ["431", "headers_too_large"],
      ["503", "service_unavailable"]
    ] as const
    for (const { operation } of described) {
      for (const [status, code] of everywhere) {
        const name = `${String(at(operation, "operationId"))} ${code}`
        assert.include(codesOf(at(operation, "responses", status)), code, name)
      }
      for (const status of ["408", "431"]) {
        const names = entriesAt(operation, "responses", status, "headers").map(([name]) => name)
        assert.deepStrictEqual(names, ["X-Request-Id"])
      }
    }
  })

  it("shows an example of every body and every success, which the contract accepts", () => {
    const shown: Array<string> = []
    for (const { endpoint, operation, successes } of described) {
      const body = endpoint.payload.get("application/json")
      const [payload] = body?.schemas ?? []
      for (const [, media] of entriesAt(operation, "requestBody", "content")) assert.isDefined(at(media, "example"))
      const sent = at(operation, "requestBody", "content", "application/json", "example")
      assert.strictEqual(sent !== undefined, payload !== undefined)
      if (payload !== undefined && body?.encoding._tag === "Json") read(payload, sent)
      for (const [status, answer] of entriesAt(operation, "responses").filter((entry) => !isFailure(entry))) {
        const success = successes.get(status)
        const contents = entriesAt(answer, "content")
        for (const [, media] of contents) assert.isDefined(at(media, "example"))
        if (success === undefined && status !== "204") continue
        const isEmpty = success === undefined || HttpApiSchema.isNoContent(success.ast)
        assert.strictEqual(contents.length === 0, isEmpty, String(at(operation, "operationId")))
        const received = at(answer, "content", "application/json", "example")
        if (success !== undefined && received !== undefined) read(success, received)
        shown.push(status)
      }
    }
    assert.deepStrictEqual(
      shown.toSorted(),
      described.flatMap(({ successes }) => Array.from(successes.keys())).toSorted()
    )
  })

  it("shows a valid example of every error code with its schema", () => {
    for (const { operation } of described) {
      for (const [, answer] of entriesAt(operation, "responses").filter(isFailure)) {
        const shown = entriesAt(answer, "content", problemJson, "examples")
        assert.deepStrictEqual(
          shown.map(([code]) => code),
          codesOf(answer)
        )
        for (const [code, example] of shown) {
          const schema = problems.get(code)
          if (schema === undefined) return assert.fail(`${code} is no problem of ours`)
          const error = Schema.decodeUnknownSync(schema)(at(example, "value"))
          assert.strictEqual(problemCode(error._tag), code)
        }
      }
    }
  })

  it("names the headers that answers carry", () => {
    for (const { behind, operation } of described) {
      for (const [status, answer] of entriesAt(operation, "responses")) {
        const names = new Set(entriesAt(answer, "headers").map(([name]) => name))
        assert.isTrue(names.has("X-Request-Id"))
        assert.strictEqual(names.has("WWW-Authenticate"), status === "401")
        const waits = codesOf(answer).some((code) => at(exampleOf(code), "retryAfterSeconds") !== undefined)
        assert.strictEqual(names.has("Retry-After"), waits)
        if (status.startsWith("2")) assert.strictEqual(names.has("Idempotency-Replayed"), behind.has(Idempotent.key))
      }
    }
  })

  it("lists permission, plan feature, audit action and events as the use case declares them", () => {
    for (const { endpoint, group, operation } of described) {
      const name = String(at(operation, "operationId"))
      const declared = declarationOf({ id: `${group}.${endpoint.identifier}` }) ?? { access: "public" }
      const access = at(declared, "access")
      assert.strictEqual(at(operation, "x-permission"), at(access, "permission"), name)
      assert.strictEqual(at(operation, "x-plan-feature"), at(declared, "feature"), name)
      assert.strictEqual(at(operation, "x-audit-action"), at(declared, "audit"), name)
      assert.deepStrictEqual(at(operation, "x-emits"), at(declared, "emits"), name)
      const scope = at(declared, "operatorScope")
      assert.strictEqual(at(operation, "x-operator-scope"), scope, name)
      const codes = codesOf(at(operation, "responses", "403"))
      assert.strictEqual(codes.includes("scope_denied"), scope !== undefined, name)
      assert.strictEqual(codes.includes("permission_denied"), access !== "public" && scope === undefined, name)
      // Every endpoint that accepts tokens of members refuses a plugin token while the plan has no plugins.
      assert.strictEqual(codes.includes("feature_not_in_plan"), access !== "public" && scope === undefined, name)
    }
  })
})

function exampleOf(code: string) {
  return at(document, "components", "examples", code, "value")
}
