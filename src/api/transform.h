// transform.h - runs the functions that compute weights from weights, for the driver.
#ifndef API_TRANSFORM_H
#define API_TRANSFORM_H
#include "driver/driver.h"

driver_run api_transform;
#endif
