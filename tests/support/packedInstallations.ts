/** Names the folder of this test run in which workers install the packed package and find each other's installation. */
export const PACKED_INSTALLATIONS = "EVENT_DATASETS_TESTS_PACKED";
