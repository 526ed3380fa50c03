import type { Document } from "../../api/describe.ts"
import { type Area, operationPath } from "./areas.ts"
import { type Call, callsOf, parametersOf, refusalsOf } from "./contract.ts"

const reference = /"#\/components\/(?<kind>\w+)\/(?<name>[^"]+)"/gu

/** Leaves out the components that the paths do not use, directly or through other components. */
const usedComponents = (components: Document["components"], paths: unknown) => {
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { ...components }
  const used: Record<string, Record<string, unknown>> = {}
  const unread = [JSON.stringify(paths)]
  for (let text = unread.pop(); text !== undefined; text = unread.pop()) {
    for (const { groups: { kind = "", name = "" } = {} } of text.matchAll(reference)) {
      const component = all[kind]?.[name]
      if (component === undefined || used[kind]?.[name] !== undefined) continue
      used[kind] = { ...used[kind], [name]: component }
      unread.push(JSON.stringify(component))
    }
  }
  return used
}

const partOf = (document: Document, paths: object) => ({
  openapi: document.openapi,
  info: document.info,
  servers: document.servers,
  paths,
  components: usedComponents(document.components, paths)
})

const pathsOf = (calls: ReadonlyArray<Call>) => {
  const paths: Record<string, Record<string, object>> = {}
  for (const { method, operation, path } of calls) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  return paths
}

const namesOfShare = (calls: ReadonlyArray<Call>, share: number, namesOf: (call: Call) => ReadonlyArray<string>) => {
  const counts = new Map<string, number>()
  for (const call of calls) {
    for (const name of new Set(namesOf(call))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Array.from(counts).flatMap(([name, count]) => (count > calls.length * share ? [name] : []))
}

/** Errors of most calls, or of most calls with the same method. They are less prominent in the reference. */
const commonCodes = (document: Document, calls: ReadonlyArray<Call>) => {
  const codesOf = ({ operation }: Call) => refusalsOf(document, operation).map(({ code }) => code)
  const everywhere = namesOfShare(calls, 1 / 2, codesOf)
  return Object.fromEntries(
    Array.from(
      Map.groupBy(calls, ({ method }) => method),
      ([method, some]) => [
        method,
        some.length < 6 ? everywhere : [...everywhere, ...namesOfShare(some, 3 / 4, codesOf)]
      ]
    )
  )
}

/** Headers that many calls share. */
const sharedHeaders = (document: Document, calls: ReadonlyArray<Call>) =>
  namesOfShare(calls, 1 / 4, ({ operation }) =>
    parametersOf(document, operation).flatMap((parameter) => (parameter.in === "header" ? [parameter.name] : []))
  )

const withErrorsOnly = (call: Call): Call => {
  const { requestBody: _, ...operation } = call.operation
  const failures = Object.entries(operation.responses).filter(([status]) => !status.startsWith("2"))
  return { ...call, operation: { ...operation, parameters: [], responses: Object.fromEntries(failures) } }
}

/** Parts of the contract for the pages of the areas, and for the page of the error codes. */
export const referenceParts = (document: Document) => {
  const calls = callsOf(document)
  const common = { "x-common-codes": commonCodes(document, calls), "x-shared-headers": sharedHeaders(document, calls) }
  return {
    /** The calls of an area, with the components that they use. */
    area: ({ name }: Area) =>
      JSON.stringify({
        ...partOf(document, pathsOf(calls.filter(({ area }) => area === name))),
        tags: document.tags.filter((tag) => tag.name === name),
        ...common
      }),
    /** The errors of all calls. */
    errors: () => JSON.stringify(partOf(document, pathsOf(calls.map(withErrorsOnly))))
  }
}

/** Areas and calls, for the navigation and for links. */
export const referenceIndex = (document: Document, areas: ReadonlyArray<Area>): string => {
  const calls = callsOf(document)
  return JSON.stringify({
    areas: areas.map(({ name, path, operations }) => ({
      name,
      path,
      operations: operations.flatMap(({ id, summary }) =>
        calls.flatMap((call) =>
          call.operation.operationId !== id
            ? []
            : [
                {
                  id,
                  summary,
                  method: call.method,
                  path: call.path,
                  href: operationPath(name, id),
                  feature: call.operation["x-plan-feature"] ?? null
                }
              ]
        )
      )
    }))
  })
}
