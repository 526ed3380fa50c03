import * as domain from "@parley/domain"
import { isUseCase } from "@parley/domain/kernel"

/** Every use case that the domain exports, by the name it declares. */
export const useCases = Object.values<unknown>(domain)
  .filter(isUseCase)
  .toSorted((one, other) => (one.declaration.name < other.declaration.name ? -1 : 1))
