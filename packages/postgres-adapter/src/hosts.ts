export { readHosts } from "@parley/pg-pipeline/hosts"
