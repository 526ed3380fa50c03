import * as allAreas from "./areas.ts"
import type { CallOptions, Parley, ParleyOf } from "./methods.ts"
import type { Page } from "./operation.ts"
import type { Operations } from "./operations.generated.ts"
import { readPages, readRows } from "./pages.ts"
import { readEndpoint } from "./request.ts"
import { connect, type Connection, type ParleyOptions } from "./send.ts"

/** An area of the table: endpoints, and methods that are more than one call. */
export type AreaTable = Readonly<Record<string, string | ((connection: Connection) => unknown)>>

/** The connection of a client in another organization. */
const inOrganization = (connection: Connection, organizationId: string): Connection => ({
  ...connection,
  send: (endpoint, input, options) =>
    connection.send(endpoint, input, { ...options, organizationId: options.organizationId ?? organizationId })
})

const methodOf = (entry: string, { send }: Connection, throws: boolean) => {
  const endpoint = readEndpoint(entry)
  const read = async (input: object, options: CallOptions) => {
    const { data, problem } = await send(endpoint, input, options)
    if (problem !== undefined) throw problem
    return data
  }
  const method = (input: object = {}, options: CallOptions = {}): Promise<unknown> =>
    throws ? read(input, options) : send(endpoint, input, options)
  const { page: field } = endpoint.flags
  if (field === undefined) return method
  const pages = (input: object = {}, options: CallOptions = {}) =>
    readPages((from) => read(from, options) as Promise<Page<unknown>>, input, field)
  return Object.assign(method, {
    pages,
    all: (input?: object, options?: CallOptions) => readRows(pages(input, options))
  })
}

const clientOf = (areas: Readonly<Record<string, AreaTable>>, connection: Connection, throws: boolean): object => ({
  ...Object.fromEntries(
    Object.entries(areas).map(([area, table]) => [
      area,
      Object.fromEntries(
        Object.entries(table).map(([name, entry]) => [
          name,
          typeof entry === "string" ? methodOf(entry, connection, throws) : entry(connection)
        ])
      )
    ])
  ),
  throwing: () => clientOf(areas, connection, true),
  inOrganization: (organizationId: string) => clientOf(areas, inOrganization(connection, organizationId), throws)
})

/** Creates a client of some areas. A bundle contains only the areas that it imports from `@parley/client/areas`. */
export const createParleyOf = <Areas extends { readonly [Area in keyof Operations]?: AreaTable }>(
  areas: Areas,
  options: ParleyOptions
) =>
  clientOf(areas as Readonly<Record<string, AreaTable>>, connect(options), false) as ParleyOf<
    keyof Areas & keyof Operations
  >

/** Creates a client of the whole API. */
export const createParley = (options: ParleyOptions): Parley => createParleyOf(allAreas, options)
