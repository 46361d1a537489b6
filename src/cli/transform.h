// transform.h - runs the functions that compute weights from weights, for the driver.
#ifndef CLI_TRANSFORM_H
#define CLI_TRANSFORM_H
#include "driver/driver.h"

driver_run cli_transform;
#endif
