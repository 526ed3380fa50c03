import { Context } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"

/** Area of the contract, with its operations in order. It has a page of the reference. */
export interface Area {
  readonly name: string
  readonly description: string
  readonly path: `/docs/reference/${string}`
  readonly operations: ReadonlyArray<{ readonly id: string; readonly method: string; readonly summary: string }>
}

/** Path of the error codes, next to the areas. */
export const errorsPath = "/docs/reference/errors"

/** Returns the page of the reference with the operations of an area. */
export const areaPath = (name: string): Area["path"] =>
  `/docs/reference/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`

/** Returns the address of an operation in the reference. */
export const operationPath = (area: string, id: string): `/${string}` => `${areaPath(area)}#operation/${id}`

type Listed = Area["operations"][number]

interface Placed extends Listed {
  readonly at: string
}

/** Puts the operations of a path together, as the OpenAPI document does. */
const inOrderOfPaths = (operations: ReadonlyArray<Placed>): ReadonlyArray<Listed> =>
  Array.from(Map.groupBy(operations, ({ at }) => at).values())
    .flat()
    .map(({ id, method, summary }) => ({ id, method, summary }))

/** Reads the areas and operations from the contract. */
export const readAreas = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Area> => {
  const areas = new Map<string, Omit<Area, "operations"> & { readonly operations: Array<Placed> }>()
  HttpApi.reflect(api, {
    onGroup: ({ group }) => {
      const name = Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier)
      const description = Context.getOrElse(group.annotations, OpenApi.Description, () => "")
      areas.set(group.identifier, { name, description, path: areaPath(name), operations: [] })
    },
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      if (Context.get(mergedAnnotations, OpenApi.Exclude)) return
      const id = Context.getOrElse(mergedAnnotations, OpenApi.Identifier, () => endpoint.identifier)
      const summary = Context.getOrElse(mergedAnnotations, OpenApi.Summary, () => id)
      areas.get(group.identifier)?.operations.push({ id, method: endpoint.method, summary, at: endpoint.path })
    }
  })
  return Array.from(areas.values(), (area) => ({ ...area, operations: inOrderOfPaths(area.operations) }))
}
