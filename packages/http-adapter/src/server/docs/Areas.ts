import { Context } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"

/** An area of the contract, with its operations in their order. */
export interface Area {
  readonly name: string
  readonly description: string
  /** Where the reference tells of it. */
  readonly anchor: string
  readonly operations: ReadonlyArray<{ readonly id: string; readonly method: string; readonly summary: string }>
}

const anchorOf = (name: string) => `area/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`

/** Reads from the contract what there is to call. */
export const readAreas = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Area> => {
  const areas = new Map<string, Omit<Area, "operations"> & { readonly operations: Array<Area["operations"][number]> }>()
  HttpApi.reflect(api, {
    onGroup: ({ group }) => {
      const name = Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier)
      const description = Context.getOrElse(group.annotations, OpenApi.Description, () => "")
      areas.set(group.identifier, { name, description, anchor: anchorOf(name), operations: [] })
    },
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      if (Context.get(mergedAnnotations, OpenApi.Exclude)) return
      const id = Context.getOrElse(mergedAnnotations, OpenApi.Identifier, () => endpoint.identifier)
      const summary = Context.getOrElse(mergedAnnotations, OpenApi.Summary, () => id)
      areas.get(group.identifier)?.operations.push({ id, method: endpoint.method, summary })
    }
  })
  return Array.from(areas.values())
}
