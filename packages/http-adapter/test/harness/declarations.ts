import type { Feature, Permission, UseCaseDeclaration } from "@parley/domain/kernel"
import { bindings } from "../../src/server/bindings/index.ts"
import type { Endpoint } from "./contract.ts"

interface Bound {
  readonly samples: Readonly<Record<string, { readonly declared: { readonly declaration: UseCaseDeclaration } | null }>>
}

const bound: Readonly<Record<string, Bound>> = bindings

/** Declaration of the use case that the endpoint runs. `null`: the endpoint runs none. */
export const declarationOf = ({ id }: Pick<Endpoint, "id">): UseCaseDeclaration | null => {
  const [group = "", name = ""] = id.split(".")
  return bound[group]?.samples[name]?.declared?.declaration ?? null
}

/** Permission that the use case of the endpoint declares. `null`: it declares none. */
export const permissionOf = (endpoint: Pick<Endpoint, "id">): Permission | null => {
  const access = declarationOf(endpoint)?.access
  return typeof access === "object" ? access.permission : null
}

/** Plan feature that the use case of the endpoint requires. `null`: it requires none. */
export const featureOf = (endpoint: Pick<Endpoint, "id">): Feature | null => declarationOf(endpoint)?.feature ?? null
