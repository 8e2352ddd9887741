/** What the server says about one event of the store. */
export interface StoreEvent {
  seq: number;
  kind: string;
  run: string;
  workload: string;
  parameters: string;
  device: string;
  hardware: string;
  validity: string;
  created: string;
}
